"""The entities and components of an application, from all of its files.

References are "component", of the same entity, or "entity/component".  The
entities of a subgraph are called "OUTER/INNER", where OUTER is the entity with
the nvidia::gxf::Subgraph; what refers to its interfaces refers to what they
stand for.
"""
import os

from gxf import tables
from gxf.kinds import as_list
from gxf.report import DIFFERS, NOT_MAPPED
from gxf.yaml_lines import FileError, Mapping, Text, read_file

MAX_SUBGRAPH_DEPTH = 20
MAX_COMPONENTS = 100_000


class Component:
    """A component; `done` says that it is mapped or reported, `used` which of its parameters."""

    def __init__(self, entity, name, type_name, place):
        self.entity = entity
        self.name = name  # "" if it has none
        self.type = type_name
        self.short = tables.short_type(type_name)
        self.parameters = Mapping()
        self.place = place
        self.done = False
        self.used = set()

    def take(self, name):
        """A parameter, or None; it counts as looked after."""
        self.used.add(name)
        return self.parameters.get(name)

    def place_of(self, parameter):
        for key, value in self.parameters.items():
            if key == parameter:
                return getattr(value, "place", None) or key.place
        return self.place

    def __str__(self):
        name = f'component "{self.name}" ({self.type})' if self.name else f"the {self.type}"
        return f'{name} of entity "{self.entity.name}"'


class Entity:
    """Components in the order of the files."""

    def __init__(self, name, scope, place):
        self.name = name
        self.scope = scope
        self.place = place
        self.components = []

    def find(self, name):
        return next((c for c in self.components if c.name and c.name == name), None)

    def of(self, types):
        return [c for c in self.components if c.short in types]


class Scope:
    """A file, or a subgraph: where references are looked up.  `prefix` is "" or "OUTER/"."""

    def __init__(self, prefix="", given=None):
        self.prefix = prefix
        self.given = given or {}  # prerequisite: the component that stands for it


def _text(mapping, key):
    value = mapping.get(key)
    if value is not None and not isinstance(value, Text):
        raise FileError(f'{mapping.place}: "{key}" has to be a text')
    return value


def _is_mapping(value, place, what):
    if not isinstance(value, Mapping):
        raise FileError(f"{getattr(value, 'place', None) or place}: {what} has to be a mapping")
    return value


class Application:
    def __init__(self, report, folders=()):
        self.report = report
        self.folders = list(folders)  # where the files of subgraphs are looked for
        self.entities = {}
        self.groups = []  # (Scope, the mapping) of EntityGroups
        self._interfaces = {}  # full name: (Scope, target)
        self._components = 0

    # --- reading

    def load(self, path, scope=None, above=()):
        """Adds what a file holds.  Raises FileError."""
        self.report.add_file(path)
        for document in read_file(path):
            for part in as_list(document):
                _is_mapping(part, getattr(document, "place", path), "a document")
                self._add_document(part, scope or Scope(), (*above, os.path.realpath(path)))

    def _add_document(self, document, scope, above):
        for key in document:
            value, place = document[key], key.place
            if key == "interfaces":
                self._add_interfaces(value, scope, place)
            elif key == "EntityGroups":
                self.groups += [(scope, _is_mapping(g, place, "a group")) for g in as_list(value)]
            elif key in ("dependencies", "extensions"):
                self.report.add(place, DIFFERS, f"{key}: link the libraries that register the "
                                "calculators, or load them with run_graph --plugin=FILE.")
            elif key == "prerequisites":
                self._check_prerequisites(value, scope, place)
            elif key not in ("name", "components"):
                self.report.add(place, NOT_MAPPED, f'"{key}" has no counterpart.')
        if "components" in document or "name" in document:
            self._add_entity(document, scope, above)

    def _add_interfaces(self, value, scope, place):
        for item in as_list(value):
            _is_mapping(item, place, "an interface")
            name, target = _text(item, "name"), _text(item, "target")
            if not name or not target:
                raise FileError(f"{item.place}: an interface has a name and a target")
            self._interfaces[scope.prefix + name] = (scope, target)

    def _check_prerequisites(self, value, scope, place):
        for item in as_list(value):
            name = _text(item, "name") if isinstance(item, Mapping) else item
            if not isinstance(name, Text) or name not in scope.given:
                self.report.add(getattr(item, "place", None) or place, NOT_MAPPED,
                                f'the prerequisite "{name}" is given by nobody.')

    def _add_entity(self, document, scope, above):
        name = _text(document, "name")
        if not name:
            name = f"entity_{len(self.entities)}"
        name = scope.prefix + name
        entity = self.entities.get(name)
        if entity is None:
            entity = self.entities[name] = Entity(name, scope, document.place)
        for item in as_list(document.get("components")):
            self._add_component(entity, _is_mapping(item, document.place, "a component"), above)

    def _add_component(self, entity, item, above):
        name, type_name = _text(item, "name") or "", _text(item, "type")
        parameters = item.get("parameters")
        if parameters is None:
            parameters = Mapping()
        _is_mapping(parameters, item.place, '"parameters"')
        for key in item:
            if key not in ("name", "type", "parameters"):
                self.report.add(key.place, NOT_MAPPED, f'"{key}" of a component means nothing.')
        component = entity.find(name)
        if component is None or (type_name and type_name != component.type):
            if not type_name:
                raise FileError(f'{item.place}: the component "{name}" of entity "{entity.name}" '
                                "has no type, and none before it has its name")
            self._components += 1
            if self._components > MAX_COMPONENTS:
                raise FileError(f"{item.place}: there are more than {MAX_COMPONENTS} components")
            component = Component(entity, str(name), str(type_name), item.place)
            entity.components.append(component)
        # Of a component that is there, a later document changes parameters.
        for key, value in parameters.items():
            component.parameters.pop(key, None)
            component.parameters[key] = value
        if component.short == tables.SUBGRAPH:
            self._add_subgraph(component, above)

    def _add_subgraph(self, component, above):
        location = component.take("location")
        given = component.take("prerequisites")
        component.done = True
        path = self._subgraph_file(location, above) if isinstance(location, Text) else None
        if path is None:
            self.report.add(component.place, NOT_MAPPED,
                            f'{component}: its file "{location}" is not there; --folder=DIR names '
                            "the folder that locations begin in.")
            return
        if os.path.realpath(path) in above or len(above) > MAX_SUBGRAPH_DEPTH:
            raise FileError(f'{component.place}: the subgraph "{location}" is part of itself')
        outer = component.entity
        if given is not None and not isinstance(given, Mapping):
            self.report.add(component.place_of("prerequisites"), NOT_MAPPED,
                            f"{component}: its prerequisites have to be a mapping.")
        given = given if isinstance(given, Mapping) else {}
        inner = Scope(outer.name + "/", {str(k): (outer, str(v)) for k, v in given.items()})
        self.load(path, inner, above)

    def _subgraph_file(self, location, above):
        for folder in (os.path.dirname(above[-1]), *self.folders, "."):
            path = os.path.normpath(os.path.join(folder, location))
            if os.path.isfile(path):
                return os.path.relpath(path) if os.path.isabs(path) and not os.path.relpath(
                    path).startswith("..") else path
        return None

    # --- references

    def lookup(self, entity, reference, depth=0):
        """The component that a reference in `entity` means; None if there is none."""
        if not isinstance(reference, str) or depth > MAX_SUBGRAPH_DEPTH:
            return None
        if "/" not in reference:
            found = entity.find(reference)
            if found is None and reference in entity.scope.given:
                outer, name = entity.scope.given[reference]
                found = self.lookup(outer, name, depth + 1)
            return found
        return self._lookup_full(entity.scope, reference, depth)

    def _lookup_full(self, scope, reference, depth):
        full = scope.prefix + reference
        if full in self._interfaces:
            inner, target = self._interfaces[full]
            if depth > MAX_SUBGRAPH_DEPTH:
                return None  # interfaces that stand for each other
            return self._lookup_full(inner, target, depth + 1)
        other, _, name = full.rpartition("/")
        entity = self.entities.get(other)
        return entity.find(name) if entity else None

    def names_no_component(self, entity, reference):
        """Whether a text is "entity/name" of an entity that has no such component."""
        other, slash, _ = (entity.scope.prefix + reference).rpartition("/")
        return bool(slash) and other in self.entities and self.lookup(entity, reference) is None

    def components(self, types):
        return [c for e in self.entities.values() for c in e.of(types)]
