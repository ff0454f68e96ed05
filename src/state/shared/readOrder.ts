/** Tells which of several readings of the same thing is newer, and which of them began before news came. */
export class ReadOrder {
	#last = 0;
	#news = 0;

	/** A reading begins; later ones have greater numbers. */
	begin(): number {
		this.#last += 1;
		return this.#last;
	}

	/** Readings with numbers up to the answered one are old from now on. */
	tellNews(): number {
		this.#news = this.begin();
		return this.#news;
	}

	/** Who wants something now must not wait for a reading with this number or a smaller one. */
	get lastNews(): number {
		return this.#news;
	}
}
