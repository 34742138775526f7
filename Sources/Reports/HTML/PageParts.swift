/// The script of the page, in modules that build on each other.
let pageScripts = [
  pageFoundationScript, pageModelScript, pageOverviewScript, pageCanvasScript, pagePointerScript,
  pagePanelsScript, pageValuesScript, pageScenarioScript,
]

/// The style of the page.
let pageStyles = [pageStyle, pageTimelineStyle]
