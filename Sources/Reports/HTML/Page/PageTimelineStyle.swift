/// The style of a timeline and of the panels below it.
let pageTimelineStyle = #"""
  .timeline { margin: 18px 0; }
  .timeline > * { margin-bottom: 10px; }
  .toolbar { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
  .toolbar label { color: var(--faint); font-size: .85rem; margin-left: 6px; }
  .canvas { background: var(--card); border: 1px solid var(--line); border-radius: 12px;
    overflow: auto; max-height: 56vh; }
  .canvas canvas { display: block; touch-action: pan-y; cursor: grab; }
  .canvas canvas.pointing { cursor: pointer; }
  .slide { display: flex; gap: 10px; align-items: center; }
  .slide input { flex: 1; min-width: 0; accent-color: var(--accent); height: 28px; }
  .now { color: var(--faint); font-variant-numeric: tabular-nums; min-width: 9ch;
    text-align: right; }
  .columns { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: 12px; }
  .panel { background: var(--card); border: 1px solid var(--line); border-radius: 12px;
    padding: 12px 14px; min-width: 0; }
  .panel > h3 { margin-bottom: 8px; }
  .scroll { overflow: auto; max-height: 420px; height: 100%; min-height: 120px;
    position: relative; }
  .long { list-style: none; margin: 0; padding: 0; position: relative; }
  .long li { position: absolute; left: 0; right: 0; height: 30px; }
  .step { display: flex; gap: 8px; align-items: baseline; width: 100%; height: 28px; min-height: 0;
    border-color: transparent; background: none; padding: 2px 6px; text-align: left; }
  .step .code { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis;
    white-space: nowrap; }
  .step .sign { width: 1em; color: var(--accent); }
  .step.held .sign { color: var(--good); }
  .step.did-not-hold .sign, .step.did-not-hold .code { color: var(--bad); font-weight: 600; }
  .marked .step { background: var(--mark); border-color: var(--accent); }
  .hovered .step { border-color: var(--value); }
  .event h3 { overflow-wrap: anywhere; }
  .event > * { margin-bottom: 8px; }
  .links ul { list-style: none; margin: 0; padding: 0; max-height: 9.5em; overflow: auto; }
  .links .link { font-size: .86rem; }
  .pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(240px, 1fr)); gap: 10px; }
  .pair > div { min-width: 0; }
  .block { position: relative; }
  .block pre { background: var(--back); border: 1px solid var(--line); border-radius: 8px;
    padding: 8px 10px; max-height: 320px; }
  .block .copy { position: absolute; top: 6px; right: 6px; }
  details { background: var(--card); border: 1px solid var(--line); border-radius: 12px;
    padding: 0 14px; margin-bottom: 10px; }
  summary { padding: 9px 0; cursor: pointer; font-weight: 600; }
  details[open] { padding-bottom: 12px; }
  .wide { overflow: auto; max-height: 60vh; }
  table { border-collapse: collapse; width: 100%; font-size: .88rem; }
  caption { text-align: left; color: var(--faint); padding: 4px 0; }
  th, td { text-align: left; vertical-align: top; padding: 3px 12px 3px 0;
    border-top: 1px solid var(--line); font-weight: 400; }
  thead th { color: var(--faint); font-size: .78rem; border-top: 0; }
  tbody th.code { white-space: nowrap; }
  .nowrap { white-space: nowrap; }
  .changed th, .changed td { background: var(--mark); }
  .turn { display: flex; gap: 8px; padding-top: 8px; }
  .exchanges { list-style: none; margin: 0 0 10px; padding: 0; }
  .exchange { display: flex; flex-wrap: wrap; gap: 2px 12px; width: 100%; align-items: baseline;
    border-color: transparent; background: none; text-align: left; padding: 2px 6px; }
  .exchange .time { min-width: 7ch; }
  .status { font-weight: 600; }
  .status.good { color: var(--good); }
  .status.bad { color: var(--bad); }
  .graph .edge { fill: none; stroke: var(--faint); stroke-width: 1.5; opacity: .6; }
  .graph rect { fill: var(--back); stroke: var(--line); stroke-width: 1.5; }
  .graph .computed rect, .graph .stream rect { stroke-dasharray: 5 3; stroke: var(--value); }
  .graph .changed rect { fill: var(--mark); stroke: var(--accent); stroke-width: 2.5; }
  .graph .node { cursor: pointer; }
  .graph .name { font: 12px system-ui, sans-serif; fill: var(--faint); }
  .graph .value { font: 600 12px ui-monospace, Menlo, monospace; fill: var(--text); }
  @media (max-width: 860px) { .columns { grid-template-columns: minmax(0, 1fr); } }
  """#
