/** Orders readings of one thing relative to each other and to push events. */
export class ReadOrder {
	#last = 0;
	#news = 0;

	/** Starts a reading; numbers increase. */
	begin(): number {
		this.#last += 1;
		return this.#last;
	}

	/** Marks all readings begun so far as stale. Returns the highest stale number. */
	tellNews(): number {
		this.#news = this.begin();
		return this.#news;
	}

	/** Readings up to this number are stale: don't join them. */
	get lastNews(): number {
		return this.#news;
	}
}
