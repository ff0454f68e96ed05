/** A slice of news. */
export interface TellingSlice<Change> {
	/** `undefined` when this part holds nothing that the page does not know. */
	readonly change: Change | undefined;
	/** True if further slices follow. */
	readonly goesOn: boolean;
}

/**
 * Sends changes to a listening page. Coalesces changes and pauses before each slice: the source of the change has used
 * its turn.
 */
export function pageTelling<Change>({
	begin,
	next,
	tell,
	pause,
	told,
	failed,
	listensAtOnce,
}: {
	/** Something has changed: the next slice is the first of a row. */
	readonly begin: () => void;
	readonly next: () => TellingSlice<Change>;
	readonly tell: (change: Change) => void;
	/** Lets others have their turn. */
	readonly pause: () => Promise<void>;
	/** A message went out without error. */
	readonly told: () => void;
	readonly failed: (error: unknown) => void;
	/** True for a page that accepts messages before its first request. */
	readonly listensAtOnce: boolean;
}) {
	let hears = listensAtOnce;
	const isListening = (): boolean => hears;
	let isDirty = false;
	/** Resolves when the page has everything so far. */
	let telling: Promise<void> | undefined;

	function changed(): Promise<void> {
		isDirty = true;
		telling ??= tellAll();
		return telling;
	}

	async function tellAll(): Promise<void> {
		await pause();
		let isTold = false;
		try {
			while (isDirty && isListening()) {
				isDirty = false;
				await tellSlices();
			}
			isTold = true;
		} catch (error) {
			failed(error);
		} finally {
			// Reset synchronously after the last check; a pause between the two would lose a change.
			telling = undefined;
		}
		if (isTold) {
			told();
		}
	}

	async function tellSlices(): Promise<void> {
		begin();
		for (let goesOn = true; goesOn && isListening();) {
			const slice = next();
			if (slice.change) {
				tell(slice.change);
			}
			({ goesOn } = slice);
			if (goesOn) {
				await pause();
			}
		}
	}

	return {
		/** False before the page's first request, unless it listens at once. */
		isListening,
		/** Holds back messages until `listen`. */
		stopListening() {
			hears = false;
		},
		/** Somebody listens from now on. */
		listen(): Promise<void> {
			hears = true;
			return changed();
		},
		/** Publishes a change. Resolves when the page has everything. */
		changed,
	};
}
