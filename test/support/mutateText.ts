import type { Random } from './random.ts';

/** Mutates one of the given texts: moves, drops, doubles or breaks lines, and flips bits. */
export function mutateText(
	random: Random,
	texts: readonly [string, ...string[]],
	oddParts: readonly [string, ...string[]],
): string {
	let text = random.pick(texts);
	for (let steps = 1 + random.below(5); steps > 0; steps--) {
		text = mutateOnce(random, text, { texts, oddParts });
	}
	return text;
}

interface Stock {
	readonly texts: readonly [string, ...string[]];
	readonly oddParts: readonly [string, ...string[]];
}

function mutateOnce(random: Random, text: string, { texts, oddParts }: Stock): string {
	const at = random.below(text.length + 1);
	switch (random.below(9)) {
		case 0:
			return text.slice(0, at);
		case 1:
			return text.slice(0, at) + random.pick(oddParts) + text.slice(at);
		case 2:
			return text.slice(0, at) + text.slice(at + 1 + random.below(random.chance(20) ? 400 : 4));
		case 3: {
			const other = random.pick(texts);
			return text.slice(0, at) + other.slice(random.below(other.length + 1));
		}
		case 4:
			return (
				text.slice(0, at) + String.fromCharCode(random.below(random.chance(80) ? 128 : 65_536)) + text.slice(at + 1)
			);
		case 5:
			return inLines(text, (lines, line) => lines.splice(line, 1), random);
		case 6:
			return inLines(text, (lines, line) => lines.splice(line, 0, lines[line] ?? '', random.pick(oddParts)), random);
		case 7:
			return text.slice(0, at) + text.slice(at).replace(/\d+/, () => String(random.pick([0, 1, 2, 9, 1e6, 1e15])));
		default:
			return random.chance(50) ? text.replaceAll('\n', '\r\n') : text.slice(0, at) + '\n' + text.slice(at);
	}
}

function inLines(text: string, change: (lines: string[], line: number) => unknown, random: Random): string {
	const lines = text.split('\n');
	change(lines, random.below(lines.length));
	return lines.join('\n');
}
