/** Pseudo-random numbers, the same in every run. */
function dice(seed: number): (below: number) => number {
	let state = (seed * 2_654_435_761 + 1) >>> 0;
	return (below) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
}

const words =
	'the parser reads header lines again when a folded value ends early and nobody sees why because the buffer still holds what came before so tests pass on one machine while another fails with an odd message about bounds which looks like an old mistake in the loop that counts lines rather than bytes'.split(
		' ',
	);
const people = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank', 'grace'];

/**
 * Realistic comments of about one kilobyte, all different. All have prose with emphasis, code spans, mentions of people
 * and tickets, and links of both kinds. Every second has a task list, every third a quote, and every third a block of
 * code in one of four languages.
 */
export function commentTexts(count: number, seed: number): readonly string[] {
	return Array.from({ length: count }, (_, at) => commentText(at, dice(seed * 100_003 + at)));
}

function commentText(at: number, roll: (below: number) => number): string {
	const word = (): string => words[roll(words.length)]!;
	const sentence = (length: number): string => `${Array.from({ length }, word).join(' ')}.`;
	const person = (): string => `~${people[roll(people.length)]}`;
	const prose = (): string =>
		`${sentence(14)} Look at #${1 + roll(900)} and **${word()} ${word()}**, said ${person()}, or at \`${word()}_${roll(99)}\`. ${sentence(12)} See https://docs.forge.example/${word()}/${roll(9999)} and [${word()} ${word()}](https://forge.example/${word()}?at=${roll(999)}). ${sentence(16)}`;
	const parts = [prose()];
	if (at % 3 === 1) {
		parts.push(`> ${sentence(18)}`, sentence(12));
	}
	if (at % 2 === 0) {
		parts.push(Array.from({ length: 4 }, (_, item) => `- [${item % 2 === 0 ? 'x' : ' '}] ${sentence(7)}`).join('\n'));
	}
	parts.push(prose());
	if (at % 3 === 0) {
		parts.push(codeText(at, roll, word));
	}
	return parts.join('\n\n');
}

function codeText(at: number, roll: (below: number) => number, word: () => string): string {
	const name = (): string => `${word()}_${roll(999)}`;
	switch (Math.floor(at / 3) % 4) {
		case 0:
			return `\`\`\`c\nint ${name()}(struct reader *r, size_t ${word()}) {\n\t/* ${word()} ${word()} */\n\tif (r->line[${roll(99)}] == '\\0')\n\t\treturn ${roll(9)};\n\treturn fold(r, "${word()} ${word()}", ${roll(99)});\n}\n\`\`\``;
		case 1:
			return `\`\`\`python\ndef ${name()}(self, ${word()}=None):\n    # ${word()} ${word()} ${word()}\n    for line in self.${name()}("${word()}"):\n        if line is None and ${roll(99)} > len(line):\n            raise ValueError(f"{line} ${word()}")\n    return {"${word()}": ${roll(99)}, "${word()}": True}\n\`\`\``;
		case 2:
			return `\`\`\`diff\n--- a/${name()}.c\n+++ b/${name()}.c\n@@ -${roll(99)},6 +${roll(99)},7 @@\n context ${word()} ${word()}\n-	return ${name()};\n+	return ${name()}(${roll(99)});\n+	/* ${word()} */\n context ${word()}\n\`\`\``;
		default:
			return `\`\`\`sh\n$ make ${word()} CFLAGS=-O${roll(3)}\ncc -c ${name()}.c -o ${name()}.o\n${word()}: ${word()} ${word()} at line ${roll(999)}\nfor f in *.c; do grep -n "${word()}" "$f" | head -${roll(99)}; done\n\`\`\``;
	}
}
