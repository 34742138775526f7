@_exported import Publishers
@_exported import RealSchedulers
