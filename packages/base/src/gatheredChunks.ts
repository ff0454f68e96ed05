/** Smaller chunks are copied: each array costs some 200 bytes of overhead and keeps its whole buffer alive. */
const leastKept = 4096;
const blockBytes = 64 * 1024;

/** Collects the chunks of a body with bounded overhead: at most about twice the payload, even for one-byte chunks. */
export class GatheredChunks {
	#parts: Uint8Array[] = [];
	/** Buffer for small chunks; free from `#to` on. */
	#block = new Uint8Array();
	/** Start of the bytes not in a part yet. */
	#from = 0;
	#to = 0;
	#byteLength = 0;

	get byteLength(): number {
		return this.#byteLength;
	}

	add(chunk: Uint8Array): void {
		if (chunk.byteLength === 0) {
			return;
		}
		const isFirst = this.#byteLength === 0;
		this.#byteLength += chunk.byteLength;
		// A body in a single chunk is never copied.
		if (isFirst || isWorthKeeping(chunk)) {
			this.#closePart();
			this.#parts.push(chunk);
		} else if (chunk.byteLength <= this.#block.byteLength - this.#to) {
			this.#copy(chunk);
		} else {
			const fitting = this.#block.byteLength - this.#to;
			this.#copy(chunk.subarray(0, fitting));
			this.#closePart();
			this.#block = new Uint8Array(Math.max(blockBytes, chunk.byteLength - fitting));
			this.#from = 0;
			this.#to = 0;
			this.#copy(chunk.subarray(fitting));
		}
	}

	/** Removes the first contiguous part; `undefined` when empty. */
	shift(): Uint8Array | undefined {
		if (this.#parts.length === 0) {
			this.#closePart();
		}
		const part = this.#parts.shift();
		this.#byteLength -= part?.byteLength ?? 0;
		return part;
	}

	/** Removes everything as one array. */
	takeAll(): Uint8Array {
		this.#closePart();
		const parts = this.#parts;
		this.clear();
		const [first] = parts;
		return first !== undefined && parts.length === 1 ? first : Buffer.concat(parts);
	}

	/**
	 * Drops everything and frees its memory immediately, because garbage collection may come late. Detaches the chunks
	 * that were added.
	 */
	discard(): void {
		for (const { buffer, byteLength } of this.#parts) {
			if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) {
				buffer.transfer(0);
			}
		}
		this.clear();
	}

	clear(): void {
		this.#parts = [];
		this.#block = new Uint8Array();
		this.#from = 0;
		this.#to = 0;
		this.#byteLength = 0;
	}

	#copy(chunk: Uint8Array): void {
		this.#block.set(chunk, this.#to);
		this.#to += chunk.byteLength;
	}

	/** Later chunks reuse the rest of the block; a new block per part would waste memory. */
	#closePart(): void {
		if (this.#to > this.#from) {
			this.#parts.push(this.#block.subarray(this.#from, this.#to));
			this.#from = this.#to;
		}
	}
}

/** False for a small view of a large buffer, which it would keep alive. */
function isWorthKeeping({ byteLength, buffer }: Uint8Array): boolean {
	return byteLength >= leastKept && byteLength * 2 >= buffer.byteLength;
}
