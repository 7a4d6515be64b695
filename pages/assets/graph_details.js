// All that a picture and the state of a run say of one thing that is selected:
// what the config and the contract say of a node, where it comes from, what is
// wrong with it, its queues; the ends of a stream.
//
//   panel.replaceChildren(
//       synclinePages.detailsOf(picture, selection, state, select));
//
// `select` is called with another selection when somebody clicks on its name.
//
// Thread rule: the page's one thread.
// Tested by browser_test.
'use strict';
(function(pages) {

const {listOf, positionOf, textOf, html} = pages;

class Details {
  constructor(picture, state, select) {
    this.picture = picture;
    this.state = state || {};
    this.hasState = Boolean(state);
    this.select = select;
    this.root = html('div', 'details');
  }

  heading(text, kind) {
    this.root.appendChild(html('h2', '', text));
    if (kind) this.root.appendChild(html('p', 'kind', kind));
  }

  // A row of a list of names and values; a value is a text or an element.
  row(list, name, value) {
    if (value === '' || value === undefined || value === null) return;
    list.appendChild(html('dt', '', name));
    const cell = html('dd');
    cell.append(value);
    list.appendChild(cell);
  }

  list() {
    const list = html('dl');
    this.root.appendChild(list);
    return list;
  }

  section(title) {
    this.root.appendChild(html('h3', '', title));
  }

  code(text) {
    const box = html('pre');
    box.appendChild(html('code', '', text));
    return box;
  }

  link(kind, index, text) {
    const element = html('button', 'link', text);
    element.type = 'button';
    element.addEventListener('click', () => this.select({kind, index}));
    return element;
  }

  stream(kind, index) {
    const list = kind === 'stream' ? this.picture.streams :
                                     this.picture.side_packets;
    return listOf(list)[index];
  }

  remarks(remarks) {
    for (const remark of listOf(remarks)) {
      const box = html('p', 'remark ' + textOf(remark.kind));
      box.appendChild(html('strong', '', textOf(remark.kind) + ' '));
      box.appendChild(html('span', '', textOf(remark.text)));
      this.root.appendChild(box);
    }
  }

  // --- Nodes

  node(index) {
    const node = listOf(this.picture.nodes)[index];
    if (!node) return;
    const state = listOf(this.state.nodes)[index];
    this.heading(textOf(node.name),
                 node.is_known ? '' : 'This program does not know the type.');
    this.remarks(node.remarks);
    const list = this.list();
    this.row(list, 'type', textOf(node.type));
    this.row(list, 'place', textOf(node.location));
    const around = listOf(this.picture.subgraphs)[positionOf(node.subgraph)];
    if (around) {
      this.row(list, 'subgraph',
               this.link('subgraph', node.subgraph, textOf(around.name)));
    }
    const executor = listOf(this.picture.executors)[node.executor || 0];
    if (executor) {
      this.row(list, 'executor', (textOf(executor.name) || 'default') +
                   (executor.description ? ', ' + executor.description : ''));
    }
    if (node.is_source) this.row(list, 'source', 'yes');
    this.nodeState(list, index, state);
    this.ports('Inputs', 'stream', node.inputs, (port, i) =>
        this.queueText(state && listOf(state.queues)[i]));
    this.ports('Outputs', 'stream', node.outputs, (port, i) =>
        state ? (listOf(state.num_sent)[i] || 0) + ' sent' : '');
    this.ports('Input side packets', 'side_packet', node.input_side_packets);
    this.ports('Output side packets', 'side_packet', node.output_side_packets);
    this.conditions(node, state);
    if (node.options) {
      this.section('Options');
      this.root.appendChild(this.code(node.options));
    }
    this.settings(node.settings);
  }

  nodeState(list, index, state) {
    if (!state) return;
    if (state.is_in_call) this.row(list, 'now', 'in a call');
    if (positionOf(state.num_calls) >= 0) {
      this.row(list, 'calls', String(state.num_calls));
    }
    if (positionOf(state.host_time_us) >= 0) {
      this.row(list, 'time in calls', (state.host_time_us / 1000).toFixed(1) +
                   ' ms');
    }
    for (const wait of listOf(this.state.waits)) {
      if (positionOf(wait.waiting) !== index) continue;
      const cell = html('span', 'waits', textOf(wait.why));
      const other = listOf(this.picture.nodes)[positionOf(wait.for_node)];
      if (other) {
        cell.append(' — ', this.link('node', wait.for_node,
                                     textOf(other.name)));
      }
      this.row(list, 'waits', cell);
    }
  }

  queueText(queue) {
    if (!queue) return '';
    const parts = [(queue.num_packets || 0) + ' came'];
    if (queue.size) {
      parts.push(queue.size + (queue.limit ? ' of ' + queue.limit : '') +
                 ' wait, the first at ' + textOf(queue.first));
    } else if (queue.first) {
      parts.push(textOf(queue.first));
    }
    if (queue.num_dropped) parts.push(queue.num_dropped + ' dropped');
    return parts.join(', ');
  }

  ports(title, kind, ports, stateOf) {
    if (listOf(ports).length === 0) return;
    this.section(title);
    const table = html('table');
    listOf(ports).forEach((port, i) => {
      const row = html('tr');
      row.appendChild(html('td', 'port', textOf(port.label)));
      const cell = html('td');
      const stream = this.stream(kind, positionOf(port.stream));
      if (stream) {
        cell.appendChild(this.link(kind, port.stream, textOf(stream.name)));
      } else {
        cell.appendChild(html('em', '', 'not connected'));
      }
      const facts = [textOf(port.type)];
      if (port.is_back_edge) facts.push('back edge');
      if (port.is_optional) facts.push('optional');
      if (stateOf) facts.push(stateOf(port, i));
      for (const fact of facts.filter(Boolean)) {
        cell.appendChild(html('span', 'fact', fact));
      }
      row.appendChild(cell);
      table.appendChild(row);
    });
    this.root.appendChild(table);
  }

  conditions(node, state) {
    if (listOf(node.conditions).length === 0) return;
    this.section('Conditions');
    listOf(node.conditions).forEach((condition, i) => {
      const list = this.list();
      this.row(list, textOf(condition.name) || 'condition',
               textOf(condition.type));
      if (state) {
        this.row(list, 'state', textOf(listOf(state.condition_states)[i]));
      }
      if (condition.options) this.row(list, '', this.code(condition.options));
    });
  }

  settings(settings) {
    if (listOf(settings).length === 0) return;
    this.section('Settings');
    const list = this.list();
    for (const setting of listOf(settings)) {
      const value = textOf(setting.value);
      this.row(list, textOf(setting.name),
               value.includes('\n') || value.length > 40 ? this.code(value) :
                                                           value);
    }
  }

  // --- Others

  streamOf(kind, index) {
    const stream = this.stream(kind, index);
    if (!stream) return;
    this.heading(textOf(stream.name),
                 kind === 'stream' ? 'stream' : 'side packet');
    const list = this.list();
    this.row(list, 'type', textOf(stream.type));
    if (kind === 'stream' && this.hasState) {
      this.row(list, 'packets',
               String(listOf(this.state.num_packets)[index] || 0));
    }
    const nodes = listOf(this.picture.nodes);
    const from = nodes[positionOf(stream.from_node)];
    this.row(list, 'from', from ?
        this.link('node', stream.from_node, textOf(from.name)) :
        kind === 'stream' ? 'an input of the graph' : 'the application');
    for (const reader of listOf(stream.readers)) {
      const node = nodes[positionOf(reader.node)];
      if (!node) continue;
      const cell = html('span');
      cell.append(this.link('node', reader.node, textOf(node.name)));
      const state =
          listOf((listOf(this.state.nodes)[reader.node] || {}).queues)
              [reader.port || 0];
      if (reader.is_back_edge) cell.append(html('span', 'fact', 'back edge'));
      if (kind === 'stream' && state) {
        cell.append(html('span', 'fact', this.queueText(state)));
      }
      this.row(list, 'to', cell);
    }
    if (stream.is_graph_output) this.row(list, 'to', 'an output of the graph');
  }

  subgraph(index) {
    const subgraph = listOf(this.picture.subgraphs)[index];
    if (!subgraph) return;
    this.heading(textOf(subgraph.name), 'subgraph');
    this.remarks(subgraph.remarks);
    const list = this.list();
    this.row(list, 'type', textOf(subgraph.type));
    this.row(list, 'place', textOf(subgraph.location));
    listOf(this.picture.subgraphs).forEach((inner, i) => {
      if (positionOf(inner.parent) !== index) return;
      this.row(list, 'subgraph', this.link('subgraph', i, textOf(inner.name)));
    });
    listOf(this.picture.nodes).forEach((node, i) => {
      if (positionOf(node.subgraph) !== index) return;
      this.row(list, 'node', this.link('node', i, textOf(node.name)));
    });
    if (subgraph.options) {
      this.section('Options');
      this.root.appendChild(this.code(subgraph.options));
    }
  }

  graph() {
    const count = (list, noun) => {
      const n = listOf(list).length;
      return n + ' ' + noun + (n === 1 ? '' : 's');
    };
    this.heading(textOf(this.picture.title) || 'Graph',
                 [count(this.picture.nodes, 'node'),
                  count(this.picture.streams, 'stream'),
                  count(this.picture.subgraphs, 'subgraph')].join(', '));
    this.remarks(this.picture.remarks);
    const inPlace = [];
    const look = (kind, list) => listOf(list).forEach((thing, index) => {
      for (const remark of listOf(thing.remarks)) {
        inPlace.push({kind, index, remark, name: textOf(thing.name)});
      }
    });
    look('subgraph', this.picture.subgraphs);
    look('node', this.picture.nodes);
    for (const {kind, index, remark, name} of inPlace) {
      const box = html('p', 'remark ' + textOf(remark.kind));
      box.append(this.link(kind, index, name),
                 html('span', '', ' ' + textOf(remark.text)));
      this.root.appendChild(box);
    }
    this.settings(this.picture.settings);
  }
}

// An element that describes the selection; of the whole graph for null.
pages.detailsOf = function(picture, selection, state, select) {
  const details = new Details(picture, state, select);
  if (!selection) {
    details.graph();
  } else if (selection.kind === 'node') {
    details.node(selection.index);
  } else if (selection.kind === 'subgraph') {
    details.subgraph(selection.index);
  } else {
    details.streamOf(selection.kind, selection.index);
  }
  return details.root;
};

})(globalThis.synclinePages = globalThis.synclinePages || {});
