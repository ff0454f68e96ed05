/** As long the editor waits for the second key of a chord. */
const patienceMs = 5000;

const modifiers: readonly string[] = ['Alt', 'AltGraph', 'Control', 'Meta', 'Shift'];

/**
 * Keeps the keys of our chords (`Alt+J`, then another) out of what is being written. The editor hears of every key that is
 * pressed on a page, but cannot keep one from it.
 */
export function swallowChords(page: Window): void {
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
			} else if (isPrefix(event)) {
				untilMs = performance.now() + patienceMs;
				event.preventDefault();
			}
		},
		{ capture: true },
	);
}

function isPrefix({ altKey, metaKey, shiftKey, key, code }: KeyboardEvent): boolean {
	return altKey && !metaKey && !shiftKey && (code === 'KeyJ' || key.toLowerCase() === 'j');
}
