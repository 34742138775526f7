/// The style of the page: colours for light and dark, the overview, and the head of a scenario.
let pageStyle = #"""
  :root {
    --back: #f6f7f9; --card: #ffffff; --text: #1c2430; --faint: #5b6675; --line: #d9dee6;
    --accent: #1f5fbf; --good: #1a7447; --bad: #b3261e; --doubt: #8a5a00; --value: #6d3fc0;
    --wire: #1a6f86; --band: #7a5cff; --removed: #fdecea; --added: #e6f5ec; --mark: #e8f0fd;
    font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --back: #12161c; --card: #1a2029; --text: #e4e9f0; --faint: #9eabbc; --line: #303a47;
      --accent: #82b1ff; --good: #6fd39b; --bad: #ff9388; --doubt: #f0bf5a; --value: #c0a3ff;
      --wire: #6fcbe3; --band: #a894ff; --removed: #43211f; --added: #1c3a29; --mark: #223350;
    }
  }
  * { box-sizing: border-box; }
  html { background: var(--back); color: var(--text); }
  body { margin: 0 auto; max-width: 1280px; padding: 0 16px 64px; overflow-wrap: anywhere; }
  h1, h2, h3, h4, p { margin: 0; }
  h1 { font-size: 1.15rem; }
  h2 { font-size: 1.3rem; line-height: 1.3; }
  h3 { font-size: 1rem; }
  h4 { font-size: .85rem; color: var(--faint); font-weight: 600; }
  a { color: var(--accent); }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
  main:focus, h2:focus { outline: none; }
  header { display: flex; flex-wrap: wrap; gap: 2px 16px; align-items: baseline;
    padding: 20px 0 12px; }
  #summary { color: var(--faint); }
  .skip, .offscreen { position: absolute; left: -10000px; }
  .skip:focus { left: 16px; top: 8px; background: var(--card); padding: 8px; z-index: 9; }
  #said { position: fixed; bottom: 12px; right: 12px; color: var(--faint); font-size: .85rem; }
  button, select, input[type=search] {
    font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line);
    border-radius: 8px; padding: 5px 11px; min-height: 32px; cursor: pointer;
  }
  button:hover:enabled { border-color: var(--accent); }
  button:disabled { color: var(--faint); cursor: default; }
  button[aria-pressed=true] { background: var(--mark); border-color: var(--accent); }
  button.link { border: 0; background: none; color: var(--accent); padding: 0 4px; min-height: 24px;
    text-align: left; }
  button.link:hover { text-decoration: underline; }
  .code, code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace;
    font-size: .84rem; }
  .note, .time { color: var(--faint); font-size: .85rem; }
  .badge { display: inline-block; font-size: .8rem; font-weight: 600; padding: 1px 9px;
    border-radius: 99px; border: 1px solid currentColor; white-space: nowrap; color: var(--faint); }
  .badge.failed, .badge.could-not-run { color: var(--bad); }
  .badge.flaky, .badge.warned { color: var(--doubt); }
  .badge.passed { color: var(--good); }

  .finding { position: sticky; top: 0; z-index: 2; background: var(--back); padding: 8px 0 12px;
    display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; }
  #filters { display: flex; flex-wrap: wrap; gap: 6px; }
  .chip { border-radius: 99px; }
  .chip.failed b, .chip.could-not-run b { color: var(--bad); }
  .chip.flaky b, .chip.warned b { color: var(--doubt); }
  .chip.passed b { color: var(--good); }
  #search { flex: 1 1 220px; min-width: 0; cursor: text; }
  #search::placeholder { color: var(--faint); opacity: 1; }
  #found { color: var(--faint); font-size: .85rem; }
  #rows { list-style: none; margin: 0; padding: 0; background: var(--card); border-radius: 12px;
    border: 1px solid var(--line); overflow: hidden; }
  #rows:empty { display: none; }
  .row { padding: 10px 14px; border-top: 1px solid var(--line); }
  .row:first-child { border-top: 0; }
  .row > a { display: flex; gap: 10px; align-items: baseline; text-decoration: none;
    color: var(--text); font-weight: 550; }
  .row > a:hover .title { text-decoration: underline; color: var(--accent); }
  .row .message { margin: 2px 0 0; color: var(--bad); font-size: .92rem; }
  .row.skipped .message { color: var(--faint); }
  .row.flaky .message, .row.warned .message { color: var(--doubt); }
  .row .facts { display: flex; flex-wrap: wrap; gap: 2px 10px; align-items: baseline;
    color: var(--faint); font-size: .84rem; margin-top: 2px; }
  .tag { min-height: 24px; padding: 0 8px; border-radius: 6px; font-size: .8rem; }
  #more { display: block; margin: 16px auto; }
  #more[hidden], #none[hidden] { display: none; }
  #none { padding: 32px; text-align: center; color: var(--faint); }

  .back { padding: 4px 0 12px; }
  .heading { display: flex; flex-wrap: wrap; gap: 6px 12px; align-items: baseline; }
  .summary, .event-facts { display: flex; flex-wrap: wrap; gap: 4px 22px; margin: 10px 0 16px; }
  dt { color: var(--faint); font-size: .78rem; }
  dd { margin: 0; font-size: .9rem; }
  .failure { background: var(--card); border: 1px solid var(--line);
    border-left: 4px solid var(--bad);
    border-radius: 10px; margin: 0 0 14px; overflow: hidden; }
  pre { margin: 0; overflow: auto; white-space: pre; max-height: 60vh; line-height: 1.45; }
  pre.page { padding: 12px 14px; }
  pre button.link { font: inherit; padding: 0; min-height: 0; text-decoration: underline;
    border-radius: 0; }
  .headline { font-weight: 700; }
  .caret { color: var(--bad); }
  .removed, del { background: var(--removed); color: var(--bad); text-decoration: none; }
  .added, ins { background: var(--added); color: var(--good); text-decoration: none; }
  .actions { display: flex; flex-wrap: wrap; gap: 8px; padding: 8px 14px;
    border-top: 1px solid var(--line); align-items: center; }
  .command { display: flex; gap: 8px; align-items: center; flex: 1 1 auto; min-width: 0; }
  .command code { overflow: auto; white-space: nowrap; max-width: 70ch; }
  .copy { font-size: .8rem; padding: 1px 9px; min-height: 26px; }
  @media (max-width: 640px) {
    body { padding: 0 10px 48px; }
    .command { flex-wrap: wrap; width: 100%; }
    .command code { white-space: pre-wrap; }
    .finding { position: static; }
  }
  @media print { .finding, .toolbar, .slide, .copy { display: none; } }
  """#
