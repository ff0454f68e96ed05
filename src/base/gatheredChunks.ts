/**
 * What is shorter is copied. Each array of bytes costs some two hundred bytes beside those that it holds, and keeps all of
 * the memory that it is a part of.
 */
const leastKept = 4096;
const blockBytes = 64 * 1024;

/**
 * The bytes of a body in the order in which they came, in little more than twice as much memory, however small the
 * chunks are that somebody sends: a chunk of one byte would cost two hundred.
 */
export class GatheredChunks {
	#parts: Uint8Array[] = [];
	/** Where small chunks are copied to. What is behind `#to` is free. */
	#block = new Uint8Array();
	/** Where those begin that are no part yet. */
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
		// A body that comes in one chunk is never copied.
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

	/** Takes out what came first, as much as lies together; `undefined` when nothing is there. */
	shift(): Uint8Array | undefined {
		if (this.#parts.length === 0) {
			this.#closePart();
		}
		const part = this.#parts.shift();
		this.#byteLength -= part?.byteLength ?? 0;
		return part;
	}

	/** Takes out everything as one. */
	takeAll(): Uint8Array {
		this.#closePart();
		const parts = this.#parts;
		this.clear();
		const [first] = parts;
		return first !== undefined && parts.length === 1 ? first : Buffer.concat(parts);
	}

	/**
	 * Takes out everything and gives back its memory at once, where nothing else is in it: bytes that nobody wants would stay
	 * until they are collected, which takes the longer the fewer objects there are. Chunks that were added are empty then.
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

	/** The rest of the block stays for what comes: a block for each turn of small and large would be its waste. */
	#closePart(): void {
		if (this.#to > this.#from) {
			this.#parts.push(this.#block.subarray(this.#from, this.#to));
			this.#from = this.#to;
		}
	}
}

/** False also for a small part of a large read, which would keep all of it. */
function isWorthKeeping({ byteLength, buffer }: Uint8Array): boolean {
	return byteLength >= leastKept && byteLength * 2 >= buffer.byteLength;
}
