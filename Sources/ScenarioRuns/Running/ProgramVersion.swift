/// The version of this program, as `rehearse --version` and the header `User-Agent` write it.
package let programVersion = "0.3.0"
