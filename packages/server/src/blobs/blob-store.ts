import type { Readable } from 'node:stream'

/** An upload, of which the store knows the name and nothing else. */
export interface UploadKey {
  workspace_id: string
  upload_id: string
}

/** An upload that the store has prepared. */
export interface BegunUpload extends UploadKey {
  /** What `begin` returned. */
  reference: string
}

/** A part as it is declared. Parts are numbered from 1 to 10,000. */
export interface DeclaredPart {
  part_number: number
  size_bytes: number
}

/** A part that is stored completely. */
export interface StoredPart extends DeclaredPart {
  etag: string
  stored_at: Date
}

/** Content that is stored durably. */
export interface StoredContent {
  /** In hexadecimal, lower case. */
  sha256: string
  size_bytes: number
}

/** What names content. */
export interface BlobKey {
  workspace_id: string
  sha256: string
}

/** Content, and the time since which nobody stored it again. */
export interface ListedBlob extends BlobKey, StoredContent {
  stored_at: Date
}

/** An upload of which the store has something. */
export interface ListedUpload extends BegunUpload {
  began_at: Date
}

/** Where a client sends a part. */
export interface PartUrl {
  url: string
  /** The headers that the client must send with it. */
  headers: Record<string, string>
}

/** A range of bytes: `start` is included, `end` is not. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Stores the content of Files by its SHA-256, separately for each Workspace. Every function throws StoreUnavailable if
 * the store cannot be reached, is full or refuses access; the call may be repeated.
 */
export interface BlobStore {
  /**
   * Stores bytes that fit into memory. When it returns, a crash cannot lose them. Bytes that are there already are kept,
   * and their age starts anew.
   */
  put(workspace_id: string, bytes: Uint8Array): Promise<StoredContent>
  /** Reads the content, or a range of it. A range may end after the content. Throws BlobMissing. */
  read(workspace_id: string, sha256: string, range?: ByteRange): Promise<Readable>
  has(workspace_id: string, sha256: string): Promise<boolean>
  /** Succeeds if there is nothing. */
  remove(workspace_id: string, sha256: string): Promise<void>
  /**
   * Every blob, or those after one, which need not be there any more; always in the same order. Blobs that are stored or
   * removed meanwhile may be left out.
   */
  list(after?: BlobKey): AsyncIterable<ListedBlob>
  uploads: BlobUploads
  /** Writes, reads and removes something. Throws StoreUnavailable, whose message says in one sentence what is wrong. */
  check(): Promise<void>
  close(): Promise<void>
}

/** Uploads in parts. Nothing of an upload is content before `seal`. */
export interface BlobUploads {
  /**
   * Prepares an upload and returns its reference, which every other function needs: the id of the multipart upload on S3,
   * '' on the filesystem.
   */
  begin(upload: UploadKey): Promise<string>
  /**
   * A presigned URL to which a client sends a part by PUT; null if the store has no address of its own, so that the
   * service receives the part and calls `writePart`. The URL accepts only a body of exactly this size.
   */
  partUrl(upload: BegunUpload, part: DeclaredPart & { expires_in_seconds: number }): Promise<PartUrl | null>
  /**
   * Stores a part. A part that is sent again replaces the one before, as a whole or not at all. Throws PartSizeMismatch if
   * the body has another size, and UploadMissing after `discard`. On S3 the part is held in memory.
   */
  writePart(
    upload: BegunUpload,
    part: DeclaredPart,
    body: AsyncIterable<Uint8Array>,
  ): Promise<{ etag: string }>
  /** The parts that are stored completely, in order. After `seal` or `discard` there may be none. */
  parts(upload: BegunUpload): Promise<StoredPart[]>
  /**
   * Reads parts 1 to `part_count` in order, and makes them one blob, named by the SHA-256 of the bytes that it then has.
   * What is sent later cannot change it. It may be called again after a crash at any point, until `discard`. Throws
   * PartsMissing with the numbers of parts that are absent or damaged, UploadMissing after `discard`, and the reason of
   * the signal.
   */
  seal(upload: BegunUpload, part_count: number, signal?: AbortSignal): Promise<StoredContent>
  /**
   * Removes everything of an upload. Succeeds if there is nothing. Call it only once the outcome of the upload is
   * recorded: until then, `seal` must find the parts again.
   */
  discard(upload: BegunUpload): Promise<void>
  /** Every upload of which something is stored. */
  list(): AsyncIterable<ListedUpload>
}
