import type { MeantVersion } from './madeThread.ts';
import type { MadeSeries } from './seriesCorpus.ts';

/** A version as text: `v2 newest, cover m1: m2 m3`. The cover letter may be `any`. */
export interface VersionRow {
	readonly version: number;
	readonly isNewest: boolean;
	readonly cover: string | undefined;
	readonly patches: readonly string[];
	/** `key address` of trailers from replies, each with its patches. */
	readonly trailers: ReadonlyMap<string, readonly string[]>;
	/** Replies with remarks, each with its patches. */
	readonly remarks: ReadonlyMap<string, readonly string[]>;
}

function rowText({ version, isNewest, cover, patches, trailers, remarks }: VersionRow): string {
	const row = `v${version}${isNewest ? ' newest' : ''}, ${cover === undefined ? 'no cover' : `cover ${cover}`}: ${patches.join(' ')}`;
	const said = [...trailers, ...remarks].map(([who, of]) => `; ${who} of ${of.toSorted().join(' ')}`).toSorted();
	return `${row}${said.join('')}`;
}

/** The replies to a version by what they say. */
export function repliesOf(replies: MeantVersion['replies'] = []): Pick<VersionRow, 'trailers' | 'remarks'> {
	const trailers = new Map<string, readonly string[]>();
	const remarks = new Map<string, readonly string[]>();
	for (const { mail, trailer, of } of replies) {
		const names = of.map(({ name }) => name);
		if (trailer === undefined) {
			remarks.set(mail.name, names);
		} else {
			trailers.set(trailer, [...new Set([...(trailers.get(trailer) ?? []), ...names])]);
		}
	}
	return { trailers, remarks };
}

/** The mails and meant versions of all series, for a person to read. */
export function corpusText(all: readonly MadeSeries[]): string {
	return all
		.map(({ name, mails, versions }) =>
			[
				`## ${name}`,
				...mails.map(({ name: mail, from, subject, above }) => {
					const under = above === undefined ? '' : ` below ${above === 'lost' ? 'a lost mail' : above.name}`;
					return `${mail} ${from.replace(/^(\S+) .*<(.*)>$/, '$1 at $2')}: ${subject}${under}`;
				}),
				...versions
					.map(({ cover, patches, replies, ...rest }) =>
						rowText({
							...rest,
							...repliesOf(replies),
							cover: cover === 'any' ? cover : cover?.name,
							patches: patches.map((each) => each.name),
						}),
					)
					.toSorted()
					.map((row) => `=> ${row}`),
				'',
			].join('\n'),
		)
		.join('\n');
}

/** The expected rows by series. */
export function expectedRows(text: string): ReadonlyMap<string, readonly string[]> {
	return new Map(
		text
			.split(/^## /m)
			.slice(1)
			.map((part) => {
				const [name = '', ...lines] = part.split('\n');
				return [name, lines.filter((line) => line.startsWith('=> ')).map((line) => line.slice(3))] as const;
			}),
	);
}

/**
 * The found versions in the form of the expected ones. Mails in no expected row may make further versions, if alone.
 * Where no row is expected as the newest one, none counts as it. Replies count for the newest one only.
 */
export function comparableRows(found: readonly VersionRow[], expected: readonly string[]): readonly string[] {
	const namedIn = (row: string): readonly string[] => row.slice(row.indexOf(': ')).match(/m\d+/g) ?? [];
	const named = new Set(expected.flatMap(namedIn));
	const hasNewest = expected.some((row) => row.includes(' newest'));
	const none: ReadonlyMap<string, readonly string[]> = new Map();
	const hasReplies = expected.some((row) => row.includes('; '));
	return found
		.filter(({ patches }) => patches.some((each) => named.has(each)))
		.map((each) => {
			const row = hasReplies && each.isNewest ? each : { ...each, trailers: none, remarks: none };
			const written = rowText({ ...row, isNewest: hasNewest && row.isNewest });
			const free = rowText({ ...row, isNewest: hasNewest && row.isNewest, cover: 'any' });
			return expected.includes(free) ? free : written;
		})
		.toSorted();
}
