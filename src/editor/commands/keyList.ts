import * as v from 'valibot';
import { chordText } from '../../commands/chordText.ts';

/** A command that people can run, with the chord that stands for it from the start. */
export interface ListedCommand {
	readonly command: string;
	readonly title: string;
	/** As people press it: `Alt+J R`; `undefined` where there is none. */
	readonly chord: string | undefined;
}

const contributedSchema = v.object({
	contributes: v.object({
		commands: v.array(v.object({ command: v.string(), title: v.string() })),
		keybindings: v.optional(
			v.array(v.object({ command: v.string(), key: v.string(), mac: v.optional(v.string()) })),
			[],
		),
		menus: v.optional(
			v.object({
				commandPalette: v.optional(v.array(v.object({ command: v.string(), when: v.optional(v.string()) })), []),
			}),
			{ commandPalette: [] },
		),
	}),
});

/**
 * The commands of a manifest as they stand in the palette: those with a chord first, in the order of their chords, and the
 * others by their titles. Nothing where it is no manifest.
 */
export function listedCommands(manifest: unknown, isMac: boolean): readonly ListedCommand[] {
	const parsed = v.safeParse(contributedSchema, manifest);
	if (!parsed.success) {
		return [];
	}
	const { commands, keybindings, menus } = parsed.output.contributes;
	const hidden = new Set(menus.commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command));
	const chords = new Map<string, string>();
	for (const { command, key, mac } of keybindings) {
		if (!chords.has(command)) {
			chords.set(command, chordText(isMac ? (mac ?? key) : key));
		}
	}
	const listed = commands
		.filter(({ command }) => !hidden.has(command) || chords.has(command))
		.map(({ command, title }) => ({ command, title, chord: chords.get(command) }));
	return listed.toSorted(
		(one, other) =>
			Number(one.chord === undefined) - Number(other.chord === undefined) ||
			(one.chord ?? one.title).localeCompare(other.chord ?? other.title, 'en'),
	);
}
