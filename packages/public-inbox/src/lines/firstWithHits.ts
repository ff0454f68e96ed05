/** Hits of the first place that has some. */
export interface Hits<Place, Hit> {
	readonly place: Place;
	readonly found: readonly Hit[];
}

/** Asks places in turn until one has hits. Throws the first failure if none has; others than `isOfPlace` at once. */
export async function firstWithHits<Place, Hit>(
	places: AsyncIterable<Place>,
	ask: (place: Place) => Promise<readonly Hit[]>,
	isOfPlace: (error: unknown) => boolean,
): Promise<Hits<Place, Hit> | undefined> {
	let failure: { readonly error: unknown } | undefined;
	for await (const place of places) {
		try {
			const found = await ask(place);
			if (found.length > 0) {
				return { place, found };
			}
		} catch (error) {
			if (!isOfPlace(error)) {
				throw error;
			}
			failure ??= { error };
		}
	}
	if (failure) {
		throw failure.error;
	}
	return undefined;
}
