import { messageIdInAddress } from './statedVersions.ts';
import type { SeriesMail, SeriesReading } from './seriesReading.ts';

/** A prerequisite of a series, as `git format-patch --base`, b4 and people write it. Anyone can write such lines. */
export type Dependency =
	/** As in `git patch-id --stable`. */
	| { readonly kind: 'patch'; readonly patchId: string }
	/** With angle brackets. */
	| { readonly kind: 'mail'; readonly messageId: string }
	/** Of all versions of a series, or of one. */
	| { readonly kind: 'series'; readonly changeId: string; readonly version: number | undefined };

/** Longer lists are abuse. */
const most = 50;
const line = /^(?:prerequisite-(patch|message|change)-id|(depends-on)):[ \t]{0,9}(\S{1,1000})[ \t\r]*$/gim;

/** Dependencies of a series in their order, each once. Reads text outside of diffs only. */
export function dependenciesOf({ cover, patches }: SeriesReading): readonly Dependency[] {
	const texts = [
		...(cover === undefined ? [] : [textOf(cover)]),
		...patches.map(({ patch: { message, commentary, diff, diffText } }) =>
			[message, commentary, diffText.slice(diff.end)].join('\n'),
		),
	];
	const found = new Map<string, Dependency>();
	for (const [, kind = 'depends-on', , value = ''] of texts.flatMap((text) => Array.from(text.matchAll(line)))) {
		const dependency = dependencyIn(kind.toLowerCase(), value);
		if (dependency && found.size < most) {
			found.set(JSON.stringify(dependency), dependency);
		}
	}
	return [...found.values()];
}

function textOf({ reading }: SeriesMail): string {
	return reading.kind === 'read' ? reading.mail.text : '';
}

function dependencyIn(kind: string, value: string): Dependency | undefined {
	switch (kind) {
		case 'patch':
			return /^[0-9a-f]{40}$/.test(value) ? { kind: 'patch', patchId: value } : undefined;
		case 'change': {
			const [, changeId, version] = /^([^\s:]{8,200})(?::v?(\d{1,4}))?$/.exec(value) ?? [];
			return changeId === undefined
				? undefined
				: { kind: 'series', changeId, version: version === undefined ? undefined : Number(version) };
		}
		default: {
			const bare = /^<?([^\s<>@/]+@[^\s<>@/]+)>?$/.exec(value)?.[1];
			const messageId = bare === undefined ? messageIdInAddress(value) : `<${bare}>`;
			return messageId === undefined ? undefined : { kind: 'mail', messageId };
		}
	}
}
