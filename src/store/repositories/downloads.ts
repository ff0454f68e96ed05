/** Content to write, with its expected size or hash. */
export interface Download {
	/** Destination in the syntax of the operating system. */
	readonly path: string;
	readonly chunks: AsyncIterable<Uint8Array>;
	readonly promised: Promised;
	/** Called with the number of bytes written so far. */
	readonly progressed: (bytes: number) => void;
}

/** Expected size and hash of a download. */
export type Promised =
	/** `sha256`: hexadecimal; `undefined` when unknown. */
	| { readonly kind: 'file'; readonly sizeBytes: number; readonly sha256: string | undefined }
	/** A blob of unknown size. Only a full id can verify it. */
	| { readonly kind: 'blob'; readonly id: string; readonly mostBytes: number };

/** Result of a download. Failures leave no file behind. */
export type DownloadOutcome =
	/** `sum`: SHA-256 of a file, id of a blob. */
	| { readonly kind: 'saved'; readonly sum: string; readonly bytes: number }
	/** The temporary file exists already, for example from an interrupted download. */
	| { readonly kind: 'inTheWay'; readonly path: string }
	/** The stream ended too early, exceeded the promised size, or exceeded the limit. */
	| { readonly kind: 'otherSize'; readonly bytes: number }
	| { readonly kind: 'otherSum'; readonly sum: string }
	/** Write error; `code` is the system's, such as `ENOSPC`. */
	| { readonly kind: 'notWritten'; readonly code: string };

/** Writes downloads to the disk of the extension host's machine. */
export interface Downloads {
	/**
	 * Writes to `<path>.part`, verifies, then renames; replaces an existing file. Rejects when reading the chunks
	 * fails.
	 */
	save(download: Download, signal: AbortSignal): Promise<DownloadOutcome>;
	/** Removes a leftover temporary file. */
	remove(path: string): Promise<void>;
}
