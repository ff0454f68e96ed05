/** What is to be written, and what it has to prove. */
export interface Download {
	/** Where it is wanted, as the system spells paths. */
	readonly path: string;
	readonly chunks: AsyncIterable<Uint8Array>;
	readonly promised: Promised;
	/** Hears how many bytes are written. */
	readonly progressed: (bytes: number) => void;
}

/** What is known of a file before it is there. */
export type Promised =
	/** `sha256`: hexadecimal digits; `undefined` when nobody promised any. */
	| { readonly kind: 'file'; readonly sizeBytes: number; readonly sha256: string | undefined }
	/** A file of a repository: its size is told nowhere. Only a full id proves anything. */
	| { readonly kind: 'blob'; readonly id: string; readonly mostBytes: number };

/** What became of it. Unless it was saved nothing is left behind. */
export type DownloadOutcome =
	/** `sum`: the SHA-256 of a file, the id of a blob. */
	| { readonly kind: 'saved'; readonly sum: string; readonly bytes: number }
	/** Another file has the name that is needed while it is written, such as the rest of an earlier try. */
	| { readonly kind: 'inTheWay'; readonly path: string }
	/** It ended too early, or did not end where it was said to, or where it has to at the latest. */
	| { readonly kind: 'otherSize'; readonly bytes: number }
	| { readonly kind: 'otherSum'; readonly sum: string }
	/** The disk refused; `code` is the system's, such as `ENOSPC`. */
	| { readonly kind: 'notWritten'; readonly code: string };

/** Writes what is downloaded to the disk of the machine that the extension runs on. */
export interface Downloads {
	/**
	 * Writes to `<path>.part`, and gives it its name only once it is proven; a file that had that name goes. Throws what
	 * reading the chunks throws.
	 */
	save(download: Download, signal: AbortSignal): Promise<DownloadOutcome>;
	/** Removes what is in the way. */
	remove(path: string): Promise<void>;
}
