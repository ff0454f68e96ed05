import { editorFamilies } from './hostile/editorFamilies.ts';
import type { HostileFamily } from './hostile/family.ts';
import { markdownFamilies } from './hostile/markdownFamilies.ts';
import { markupFamilies } from './hostile/markupFamilies.ts';

/** Attack texts, by their goal. */
export const hostileFamilies: readonly HostileFamily[] = [...markupFamilies, ...markdownFamilies, ...editorFamilies];

/** Every text once; each is different in kind. */
export const plainHostileTexts: readonly string[] = Array.from(new Set(hostileFamilies.flatMap(({ texts }) => texts)));

/** Ways to disguise a text from filters. */
const disguises: readonly ((text: string) => string)[] = [
	(text) => `> ${text}\n\n- ${text}`,
	(text) => `| a |\n|---|\n| ${text.replaceAll('|', '')} |`,
	(text) => `**${text}** *${text}* ~~${text}~~`,
	(text) => `[${text}](https://example.test/)`,
	(text) => text.replaceAll(/[a-z]/g, (letter, at: number) => (at % 2 === 0 ? letter.toUpperCase() : letter)),
];

/** The plain texts first, then each in every disguise. */
export const hostileTexts: readonly string[] = Array.from(
	new Set([...plainHostileTexts, ...disguises.flatMap((disguise) => plainHostileTexts.map(disguise))]),
);

/** About `count` plain texts, some of every family. */
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
