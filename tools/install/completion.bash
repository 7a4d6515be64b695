# Completes the command lines of Syncline's programs in bash: flags, files,
# values that --help names, types, and commands such as `trace stats`.
#
# Loaded by bash-completion, by a link of the program's name; or sourced. All of
# it is read from the program's own --help, so it fits each program, also one of
# yours with run_graph's main():  complete -F _syncline my_graph

# What an unquoted ~ or $HOME would be, of the program at the first word.
_syncline_program() {
  local program=$1
  [[ $program != "~/"* ]] || program=$HOME/${program#"~/"}
  printf '%s' "$program"
}

# Sets COMPREPLY to those of the lines on standard input that begin with $1.
_syncline_offer() {
  mapfile -t COMPREPLY < <(
    while IFS= read -r line; do
      [[ $line != "$1"* ]] || printf '%s\n' "$line"
    done)
}

# All that the program says of its flags; those in Python say it for --help.
_syncline_help() {
  "$1" --help=all 2>/dev/null </dev/null || "$1" --help 2>/dev/null </dev/null
}

# The flags that it lists, with "=" where a value has to follow:
#   "  --from=T, --to=T   text", and none in the middle of a text.
_syncline_flags() {
  _syncline_help "$1" |
    sed -n 's/^  \(-h, \)\{0,1\}--/--/p' |
    sed 's/  .*//; s/, --/\n--/g' | sed 's/\[=.*//; s/[ =].*/=/' | sort -u
}

# What it says after "--flag=", or nothing.
_syncline_value_of() {
  _syncline_help "$1" |
    sed -n "s/^  \(.*, \)\{0,1\}--$2[= ]\([^ ,]*\).*/\2/p" | head -n 1
}

# The commands of "usage: trace stats FILE" and of the lines below it.
_syncline_commands() {
  "$1" --help 2>/dev/null </dev/null | sed -n "/^usage: /,/^\$/{
    s/^usage: /       /
    s/^       ${1##*/} \([a-z_]*\) .*/\1/p}" | sort -u
}

# Files below $1, with the text before "=" of STREAM=FILE left alone.
_syncline_files() {
  mapfile -t COMPREPLY < <(compgen -f -- "$1")
  compopt -o filenames 2>/dev/null || true
}

# Completes the value of the flag $2 of the program $1, of which $3 is there.
_syncline_value() {
  local form
  form=$(_syncline_value_of "$1" "$2")
  case $2 in
    describe)
      _syncline_offer "$3" < <(
        "$1" --list_types 2>/dev/null </dev/null |
          sed -n 's/^  \([A-Za-z][A-Za-z0-9_:]*\).*/\1/p')
      # bash breaks words at ":", too, and replaces the last part.
      COMPREPLY=("${COMPREPLY[@]#"${3%"${3##*:}"}"}")
      return
      ;;
  esac
  case $form in
    *=FILE*)
      # The name of the stream is the user's.
      if [[ $3 == *=* ]]; then _syncline_files "${3#*=}"; fi
      ;;
    *FILE | *PATH | *DIR | *'FILE|off') _syncline_files "$3" ;;
    BOOL) _syncline_offer "$3" < <(printf 'true\nfalse\n') ;;
    *'|'*) _syncline_offer "$3" < <(printf '%s\n' "${form//|/$'\n'}") ;;
  esac
}

_syncline() {
  local program word flag
  COMPREPLY=()
  program=$(_syncline_program "${COMP_WORDS[0]}")
  # bash breaks words at "=", which belongs to a flag here: what is before the
  # cursor is looked at as a whole.
  word=${COMP_LINE:0:COMP_POINT}
  word=${word##*[[:space:]]}
  if [[ $word == --*=* ]]; then
    flag=${word%%=*}
    _syncline_value "$program" "${flag#--}" "${word#*=}"
  elif [[ $word == -* ]]; then
    compopt -o nospace 2>/dev/null || true
    _syncline_offer "$word" < <(_syncline_flags "$program")
  else
    if ((COMP_CWORD == 1)); then
      _syncline_offer "$word" < <(_syncline_commands "$program")
    fi
    ((${#COMPREPLY[@]})) || _syncline_files "$word"
  fi
}

complete -F _syncline run_graph recording trace view_graph import_gxf
