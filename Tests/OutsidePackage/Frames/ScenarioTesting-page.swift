import ScenarioTesting
import Testing
// BLOCK
