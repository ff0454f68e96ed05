import type { MailStore } from '../src/lists/mailStore.ts';
import type { Context } from '../src/shared/area.ts';
import { loadPatches } from './worlds/lists/patchCache.ts';
import { createTestWriters } from './worlds/lists/people.ts';
import type { SeriesPlan } from './worlds/lists/seriesPlan.ts';
import { tellSeries } from '../src/worlds/lists/tellMail.ts';
import { createStory } from '../src/worlds/story.ts';
import { worldStartMs } from './worlds/worldTime.ts';
import { ownerOfMany } from './ownerOfMany.ts';

const start = [['README', { mode: '100644', content: Buffer.from('Widths of letters.\n') }]] as const;

interface MailWorld {
	readonly context: Pick<Context, 'users' | 'tempDir' | 'mailDomain'>;
	readonly store: MailStore;
}

/** Adds the list `~alice/many` with one patchset of `count` patches, and an older patch of five times as many files. */
export async function tellManyPatches({ context, store }: MailWorld, count: number, cacheDir: string): Promise<void> {
	const plans = [widePatch(count * filesPerPatch), longSeries(count)];
	const writer = createTestWriters(context.users);
	const { tempDir } = context;
	const stop = new AbortController();
	const made = await loadPatches(plans, {
		startMs: worldStartMs,
		writer,
		baseOf: () => new Map(start),
		cacheDir,
		tempDir,
		signal: stop.signal,
	});
	const list = store.addList(ownerOfMany(context), 'many', 'A list with one very long series.', worldStartMs);
	const story = createStory();
	const lists = new Map([[list.name, list]]);
	const domain = `lists.${context.mailDomain}`;
	const telling = { store, story, startMs: worldStartMs, lists, writer, domain };
	for (const plan of plans) {
		const series = made[plan.key];
		if (series === undefined) {
			throw new Error(`${plan.key} was not made`);
		}
		tellSeries(telling, plan, series, new Map());
	}
	story.tell();
}

const linesPerPatch = 240;

/** One series of many patches of about 8 KB each. */
function longSeries(count: number): SeriesPlan {
	return {
		key: 'long-series',
		list: 'many',
		author: 'bob',
		day: 900,
		tag: 'PATCH many',
		cover: { subject: `A series of ${count} patches`, text: 'Somebody had to.' },
		commits: Array.from({ length: count }, (_, at) => ({
			subject: `table: part ${at + 1} of the widths`,
			text: 'Measured anew, one block at a time.',
			changes: [['add', `share/widths/${String(at + 1).padStart(4, '0')}.tbl`, widthTable(at)] as const],
		})),
	};
}

const filesPerPatch = 5;

/** One patch of many small files. */
function widePatch(files: number): SeriesPlan {
	return {
		key: 'wide-patch',
		list: 'many',
		author: 'bob',
		day: 899,
		tag: 'PATCH many',
		commits: [
			{
				subject: `table: ${files} files at once`,
				text: 'One file for each block.',
				changes: Array.from({ length: files }, (_, at) => [
					'add',
					`share/blocks/${at % 20}/${String(at + 1).padStart(4, '0')}.tbl`,
					`block ${at + 1}\nmeasured\n`,
				]),
			},
		],
	};
}

function widthTable(block: number): string {
	const lines = Array.from({ length: linesPerPatch }, (_, at) => {
		const code = (block * linesPerPatch + at).toString(16).padStart(6, '0');
		return `U+${code}\twidth ${((block + at) * 7) % 3}\tclass ${((block * 5 + at) * 11) % 29}\tmeasured`;
	});
	return `${lines.join('\n')}\n`;
}
