/** What S3 knows of objects besides their files, and uploads in parts. */
export interface S3Tables {
  /** A file as S3 stored it. Paths are those of the link that stores it. */
  s3_object: {
    linkId: string;
    /** Of the path; that of a folder marker ends with a slash. */
    pathHash: string;
    /** Without quotes: the MD5 of the bytes, or of the parts' MD5s with their number. */
    etag: string;
    /** Bytes, epoch seconds and the source's tag when it was stored: a file that differs is another one. */
    size: number | null;
    modified: number | null;
    sourceTag: string | null;
    /** Content type and `x-amz-meta-` headers, as JSON. */
    meta: string;
  };
  s3_upload: {
    id: string;
    accountId: string;
    /** The link through which the account reaches the file, and the path there. */
    userLinkId: string;
    path: string;
    /** The hidden folder at the source that holds the parts; empty where the source has parts of its own. */
    folder: string;
    meta: string;
    /** The sealed session of the upload at a source that has parts of its own. */
    session: string | null;
    /** Set once the object is made. */
    etag: string | null;
    /** Epoch seconds. */
    createdAt: number;
  };
  s3_part: {
    uploadId: string;
    number: number;
    /** Name of its file in the folder: a part that is sent again gets another one. Empty without a folder. */
    file: string;
    /** What a source with parts of its own confirmed it with. */
    receipt: string | null;
    size: number;
    /** MD5 in hexadecimal. */
    etag: string;
    /** Epoch seconds. */
    createdAt: number;
  };
}
