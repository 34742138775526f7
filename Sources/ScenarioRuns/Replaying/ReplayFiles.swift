/// Replays files of traces, several at once. The results have the order of the files.
package func replayFiles(
  _ paths: [String], _ options: ReplayOptions, jobs: Int
) -> [ReplayedFile] {
  resultsInOrder(of: paths, jobs: jobs, isInterrupted: options.isInterrupted) { path in
    replayFile(path, options)
  }.flatMap { $0 }
}
