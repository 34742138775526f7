import ConnectionLoops
import DataProviders
import Licensing
import LiveConnections
import Publishers
import Reactors
import RealSchedulers
import StateGraph
