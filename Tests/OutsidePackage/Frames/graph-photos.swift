import StateGraph
import UIKit

enum PhotoCategory { case all, people }
struct Photo { var category: PhotoCategory }
final class PhotoCell: UICollectionViewCell { func configure(with photo: Photo) {} }
// The text sets itself as the delegate of its view.
extension PhotoGalleryViewController: UICollectionViewDelegate {}
// BLOCK
