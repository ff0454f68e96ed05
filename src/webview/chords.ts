/** As long the editor waits for the second key of a chord. */
const patienceMs = 5000;

const modifiers: readonly string[] = ['Alt', 'AltGraph', 'Control', 'Meta', 'Shift'];

/** Where the keys of a Mac hold. The editor in a browser goes by the same words. */
const macintosh = /Macintosh|iPad|iPhone/;

/**
 * Keeps the keys of our chords (`Alt+J`, on a Mac `Ctrl+Alt+J`, then another) out of what is being written. The editor
 * hears of every key that is pressed on a page, but cannot keep one from it.
 */
export function swallowChords(page: Window): void {
	const withCtrl = macintosh.test(page.navigator.userAgent);
	let untilMs = 0;
	page.addEventListener(
		'keydown',
		(event) => {
			if (modifiers.includes(event.key)) {
				return;
			}
			if (performance.now() < untilMs) {
				untilMs = 0;
				event.preventDefault();
			} else if (isPrefix(event) && event.ctrlKey === withCtrl) {
				untilMs = performance.now() + patienceMs;
				event.preventDefault();
			}
		},
		{ capture: true },
	);
}

/** Ctrl tells it from what types a character: `Option+J` on a Mac, and on Windows `AltGr+J`, which comes as `Ctrl+Alt+J`. */
function isPrefix({ altKey, metaKey, shiftKey, key, code }: KeyboardEvent): boolean {
	return altKey && !metaKey && !shiftKey && (code === 'KeyJ' || key.toLowerCase() === 'j');
}
