import { editorFamilies } from './hostile/editorFamilies.ts';
import type { HostileFamily } from './hostile/family.ts';
import { markdownFamilies } from './hostile/markdownFamilies.ts';
import { markupFamilies } from './hostile/markupFamilies.ts';

/** What attackers write where a program shows their text, by what they try. */
export const hostileFamilies: readonly HostileFamily[] = [...markupFamilies, ...markdownFamilies, ...editorFamilies];

/** Every text once, as it is: each differs from the others in kind. */
export const plainHostileTexts: readonly string[] = Array.from(new Set(hostileFamilies.flatMap(({ texts }) => texts)));

/** Ways to hide a text from those who look for it. */
const disguises: readonly ((text: string) => string)[] = [
	(text) => `> ${text}\n\n- ${text}`,
	(text) => `| a |\n|---|\n| ${text.replaceAll('|', '')} |`,
	(text) => `**${text}** *${text}* ~~${text}~~`,
	(text) => `[${text}](https://example.test/)`,
	(text) => text.replaceAll(/[a-z]/g, (letter, at: number) => (at % 2 === 0 ? letter.toUpperCase() : letter)),
];

/** The plain texts first, then each of them in every disguise. */
export const hostileTexts: readonly string[] = Array.from(
	new Set([...plainHostileTexts, ...disguises.flatMap((disguise) => plainHostileTexts.map(disguise))]),
);

/** About `count` of the plain texts, some of every family. */
export function hostileSpread(count: number): readonly string[] {
	const share = count / plainHostileTexts.length;
	return Array.from(
		new Set(
			hostileFamilies.flatMap(({ texts }) => {
				const wanted = Math.min(texts.length, Math.max(1, Math.round(texts.length * share)));
				return Array.from({ length: wanted }, (_, at) => texts[Math.floor((at * texts.length) / wanted)] ?? '');
			}),
		),
	);
}

/** The texts in groups of at most `size`. */
export function inGroups(texts: readonly string[], size: number): readonly (readonly string[])[] {
	return Array.from({ length: Math.ceil(texts.length / size) }, (_, at) => texts.slice(at * size, (at + 1) * size));
}
