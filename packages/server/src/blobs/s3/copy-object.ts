import type { Bucket } from './bucket.ts'

interface Copy {
  from: string
  to: string
  size_bytes: number
}

/** What S3 copies in one request at most. */
const mostBytes = 5 * 1024 ** 3
const pieceBytes = 1024 ** 3

/** Copies an object inside the bucket. `mostAtOnce` and `piece` are smaller in tests. */
export async function copyObject(
  bucket: Bucket,
  copy: Copy,
  mostAtOnce = mostBytes,
  piece = pieceBytes,
): Promise<void> {
  const { sdk, copies, name } = bucket
  const CopySource = `${name}/${copy.from}`
  if (copy.size_bytes > mostAtOnce) return copyInPieces(bucket, copy, CopySource, piece)
  await copies.send(new sdk.CopyObjectCommand({ Bucket: name, Key: copy.to, CopySource }))
}

async function copyInPieces(bucket: Bucket, copy: Copy, CopySource: string, piece: number): Promise<void> {
  const { sdk, copies, client } = bucket
  const target = { Bucket: bucket.name, Key: copy.to }
  const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand(target))
  const upload = { ...target, UploadId }
  try {
    const Parts: { PartNumber: number; ETag: string | undefined }[] = []
    for (let start = 0; start < copy.size_bytes; start += piece) {
      const CopySourceRange = `bytes=${start}-${Math.min(start + piece, copy.size_bytes) - 1}`
      const PartNumber = Parts.length + 1
      const request = { ...upload, PartNumber, CopySource, CopySourceRange }
      const { CopyPartResult } = await copies.send(new sdk.UploadPartCopyCommand(request))
      Parts.push({ PartNumber, ETag: CopyPartResult?.ETag })
    }
    await copies.send(new sdk.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }))
  } catch (error) {
    await client.send(new sdk.AbortMultipartUploadCommand(upload)).catch(() => undefined)
    throw error
  }
}
