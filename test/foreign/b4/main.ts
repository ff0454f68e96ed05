// Compares the patchsets of mailing-list archives with the series that b4 finds: main.ts FOLDER COUNT
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { b4Version, ensureB4 } from '../../harness/b4.ts';
import { resultsFolder } from '../../harness/places.ts';
import { keepProofTable } from '../../support/proofTable.ts';
import { listsIn, type ArchivedMail } from './archiveMails.ts';
import { differenceKinds, differences, wrongPatchesIn, type B4Reading, type Difference } from './differences.ts';
import { differencesText } from './differencesText.ts';
import { productSeries } from './productSeries.ts';

const leastShare = 0.99;

const b4Reading = v.object({
	series: v.array(
		v.object({
			thread: v.string(),
			revision: v.number(),
			isComplete: v.boolean(),
			isPartial: v.boolean(),
			cover: v.nullable(v.string()),
			patches: v.array(v.nullable(v.string())),
		}),
	),
	mails: v.record(
		v.string(),
		v.object({
			from: v.string(),
			name: v.string(),
			subject: v.string(),
			revision: v.nullable(v.number()),
			index: v.number(),
			count: v.number(),
			isNumbered: v.boolean(),
			hasDiff: v.boolean(),
		}),
	),
	unread: v.array(v.string()),
	cpuMs: v.number(),
});

function readByB4(python: string, mails: readonly ArchivedMail[]): B4Reading {
	const sizes = JSON.stringify(mails.map(({ bytes }) => bytes.length));
	const input = Buffer.concat([Buffer.from(`${sizes}\n`), ...mails.map(({ bytes }) => bytes)]);
	const script = join(import.meta.dirname, 'b4Series.py');
	const { status, stdout } = spawnSync(python, [script], {
		input,
		maxBuffer: 2 ** 31 - 1,
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	if (status !== 0) {
		throw new Error('b4 failed');
	}
	return v.parse(b4Reading, JSON.parse(stdout.toString()));
}

const [, , folder = '', count = ''] = process.argv;
const python = ensureB4();
const lists = listsIn(folder, Number(count));
const target = join(resultsFolder, 'b4');
mkdirSync(target, { recursive: true });
const rows: (readonly (string | number)[])[] = [];
let isBad = lists.length === 0;

for (const { name, mails } of lists) {
	const b4 = readByB4(python, mails);
	const product = await productSeries(mails);
	const found = differences(b4, product);
	const wrong = product.filter((each) => wrongPatchesIn(each, found, b4.mails).length > 0);
	const of = (isMeant: (each: Difference) => boolean): number => found.filter(isMeant).length;
	const same = of(({ kind }) => kind === 'same');
	const share = same / Math.max(1, same + of(({ right }) => right === 'b4'));
	isBad ||= share < leastShare || wrong.length > 0;
	writeFileSync(join(target, `${name}.md`), differencesText({ name, b4, product, found }));
	rows.push([
		name,
		mails.length,
		product.length,
		product.filter(({ isFormed }) => isFormed).length,
		found.length,
		...differenceKinds.map((kind) => of((each) => each.kind === kind)),
		of(({ right }) => right === 'b4'),
		`${(share * 100).toFixed(1)}%`,
		wrong.length,
		b4.unread.length,
	]);
	console.log(rows.at(-1)?.join(' | '));
}

keepProofTable(`Series beside b4 ${b4Version}`, [
	[
		'list',
		'mails',
		'patchsets',
		'formed here',
		'series of b4',
		...differenceKinds,
		'b4 is right',
		'same where b4 is right',
		'with a wrong patch',
		'b4 failed',
	],
	...rows,
]);
console.log(`Wrote ${target}`);
process.exitCode = isBad ? 1 : 0;
