import { pageEnd } from './pageEnd.ts';

/** Time that the editor waits for the second key of a chord. */
const patienceMs = 5000;

const modifiers: readonly string[] = ['Alt', 'AltGraph', 'Control', 'Meta', 'Shift'];

/** Platforms with Mac keys; the web editor uses the same test. */
const macintosh = /Macintosh|iPad|iPhone/;

/**
 * Keeps our chords (`Alt+J`, on a Mac `Ctrl+Alt+J`, then another key) out of text boxes. The editor sees every key on a
 * page but cannot suppress it.
 */
export function swallowChords(page: Window): void {
	const withCtrl = macintosh.test(page.navigator.userAgent);
	let untilMs = 0;
	page.addEventListener(
		'keydown',
		(event) => {
			const { altKey, metaKey, shiftKey, key, code } = event;
			if (modifiers.includes(key)) {
				return;
			}
			const isJ = code === 'KeyJ' || key.toLowerCase() === 'j';
			// Ctrl distinguishes the chord from typed characters: `Option+J` on a Mac, and on Windows `AltGr+J`, reported as
			// `Ctrl+Alt+J`.
			if (performance.now() < untilMs) {
				untilMs = 0;
				event.preventDefault();
			} else if (altKey && !metaKey && !shiftKey && isJ && event.ctrlKey === withCtrl) {
				untilMs = performance.now() + patienceMs;
				event.preventDefault();
			}
		},
		{ signal: pageEnd, capture: true },
	);
}
