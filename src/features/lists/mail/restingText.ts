import { visibleText } from '../../../engine/text/visible.ts';

/** Approximate amount of text per turn. */
const turn = 64_000;

/** As `visibleText`, of however much text: others have their turns meanwhile. */
export async function visibleTextResting(text: string, pause: () => Promise<void>): Promise<string> {
	const pieces: string[] = [];
	for (let from = 0; from < text.length;) {
		const to = endOfTurn(text, from);
		pieces.push(visibleText(text.slice(from, to)));
		from = to;
		if (from < text.length) {
			await pause();
		}
	}
	return pieces.join('');
}

/** Prefers a nearby line break, and never splits a character. */
function endOfTurn(text: string, from: number): number {
	if (text.length - from <= turn) {
		return text.length;
	}
	const line = text.lastIndexOf('\n', from + turn);
	if (line > from) {
		return line + 1;
	}
	const end = from + turn;
	const last = text.charCodeAt(end - 1);
	return last >= 0xd8_00 && last <= 0xdb_ff ? end + 1 : end;
}
