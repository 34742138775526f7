import Licensing
import Observation
import Publishers
import Reactors
import StateGraph

// BLOCK
