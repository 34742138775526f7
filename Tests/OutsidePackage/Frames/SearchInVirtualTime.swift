import Observation
import Reactors
import ScenarioTesting
import Testing
// BLOCK
