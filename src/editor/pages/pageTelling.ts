/** A part of what a page is to be told. */
export interface TellingSlice<Change> {
	/** `undefined` when this part holds nothing that the page does not know. */
	readonly change: Change | undefined;
	/** True when more has to be looked at. */
	readonly goesOn: boolean;
}

/** What telling a page needs. */
export interface PageTellingParts<Change> {
	/** Something has changed: the next slice is the first of a row. */
	readonly begin: () => void;
	readonly next: () => TellingSlice<Change>;
	readonly tell: (change: Change) => void;
	/** Lets others have their turn. */
	readonly pause: () => Promise<void>;
	/** The page was told without a failure. */
	readonly told: () => void;
	readonly failed: (error: unknown) => void;
	/** True for a page that is told before it has asked for the first time. */
	readonly listensAtOnce?: boolean;
}

/** Tells a page what has changed, while it listens. */
export interface PageTelling {
	/** Nobody listens before the page has asked for the first time, unless it listens at once. */
	isListening(): boolean;
	/** What would be told now is told when somebody listens again. */
	stopListening(): void;
	/** Somebody listens from now on. */
	listen(): Promise<void>;
	/** Something changed. Resolves when everything so far is told. */
	changed(): Promise<void>;
}

/** Tells once for all changes of a moment, with pauses before the slices: what brought a change has used its turn. */
export function pageTelling<Change>(parts: PageTellingParts<Change>): PageTelling {
	const { begin, next, tell, pause, told, failed, listensAtOnce = false } = parts;
	let hears = listensAtOnce;
	const isListening = (): boolean => hears;
	let isDirty = false;
	/** Resolves when the page has been told everything so far. */
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
			// In the same breath as the last look whether anything changed: a change in between would never be told.
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
		isListening,
		stopListening() {
			hears = false;
		},
		listen() {
			hears = true;
			return changed();
		},
		changed,
	};
}
