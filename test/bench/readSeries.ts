import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPlainMail } from 'patchmail/mail/mailReader.ts';
import { parseDiff } from 'patchmail/patch/parseDiff.ts';
import { readSeries } from 'patchmail/series/series.ts';
import type { SeriesMail, SeriesReading } from 'patchmail/series/seriesReading.ts';
import { envelopeOf } from '../support/envelopeOf.ts';
import { gitIn } from '../support/patchMakerGit.ts';
import { ratioFigure } from './figures.ts';
import { compare, type Contender } from './interleaved.ts';
import { keep } from './keep.ts';
import { manyPatches } from './manyPatches.ts';
import type { Figure, Size } from './measurement.ts';

/** Many short rounds, for thirds that span more than a moment. */
const sizes = {
	full: { patches: 500, rounds: 105, gitRounds: 21 },
	smallest: { patches: 12, rounds: 1, gitRounds: 1 },
} as const;

/** Reads a long series from the bytes of its envelopes, as git does with the same mails. */
export async function measure(size: Size): Promise<readonly Figure[]> {
	const { patches, rounds, gitRounds } = sizes[size];
	using temporary = mkdtempDisposableSync(join(tmpdir(), 'bench-series-'));
	const folder = temporary.path;
	const { mails, plain } = manyPatches(folder, patches);
	writeFileSync(join(folder, 'mbox'), Buffer.concat(plain));
	const asEnvelope = (mail: Buffer): Buffer => Buffer.from(envelopeOf(mail));
	const [envelopes, plainEnvelopes] = [mails.map(asEnvelope), plain.map(asEnvelope)];
	const git = gitReader(folder);
	await git.run();
	const bodies = envelopes.map((envelope) => readPlainMail(envelope.toString())?.body ?? '');
	const told = gitIn(folder, ['apply', '--numstat', '-z', '-'], bodies.join('')).toString().split('\0').slice(0, -1);
	const files = checked(readEnvelopes(envelopes), { patches, told });
	const ours = { name: 'ours', run: async () => keep(bodies.map((body) => parseDiff(body))) };
	const diffsToGit = await compare(ours, numstat(folder, bodies), rounds);
	const toGit = await compare({ name: 'ours', run: () => meanOfReadings(plainEnvelopes) }, git, gitRounds);
	const megabytes = plain.reduce((sum, { length }) => sum + length, 0) / 1e6;
	const whole = `${patches} patches (${megabytes.toFixed(1)} MB, ${files} files) from raw mails to the whole series`;
	return [
		ratioFigure(`${whole}, to git mailsplit, mailinfo and apply`, 0.02, toGit),
		ratioFigure('The diffs of that series found and counted, to git apply --numstat in one process', 1.0, diffsToGit),
	];
}

/** Spreads garbage collections, one in about two readings. */
const readingsEach = 4;

/** Git takes as long as many readings, so their mean is one sample. The first warms the caches that git has emptied. */
async function meanOfReadings(envelopes: readonly Uint8Array[]): Promise<number> {
	keep(readEnvelopes(envelopes));
	const beganMs = performance.now();
	for (let reading = 0; reading < readingsEach; reading += 1) {
		keep(readEnvelopes(envelopes));
	}
	return (performance.now() - beganMs) / readingsEach;
}

/** The series of plain patch mails, the first one above the others. */
export function readEnvelopes(envelopes: readonly Uint8Array[]): SeriesReading {
	const decoder = new TextDecoder();
	return readSeries(
		envelopes.map((envelope, id): SeriesMail => {
			const mail = readPlainMail(decoder.decode(envelope));
			if (mail === undefined) {
				throw new Error('A common mail was not read at once');
			}
			const { subject, messageId = '' } = mail;
			const parentId = id === 0 ? undefined : 0;
			return { id, messageId, parentId, createdMs: id, subject, account: undefined, reading: { kind: 'read', mail } };
		}),
	);
}

/** Proves that both do the same work; returns the number of files. */
function checked(
	series: SeriesReading,
	{ patches, told }: { readonly patches: number; readonly told: readonly string[] },
): number {
	const rows = series.patches.flatMap(({ patch }) =>
		patch.diff.files.map(({ added, removed, newPath, oldPath }) => `${added}\t${removed}\t${newPath ?? oldPath}`),
	);
	const isWhole = series.patches.every(({ patch }) => patch.author?.address === 'author@forge.test');
	if (series.patches.length !== patches || !isWhole || rows.join('\n') !== told.join('\n')) {
		throw new Error('What was read is not what git reads');
	}
	return rows.length;
}

/** Git's own way: one process per mail. */
function gitReader(folder: string): Contender {
	mkdirSync(join(folder, 'split'));
	const script = `set -e
rm -f split/* message* patch*
git mailsplit -osplit mbox >/dev/null
for mail in split/*; do git mailinfo "message\${mail#split/}" "patch\${mail#split/}" <"$mail" >/dev/null; done
git apply --numstat patch* >/dev/null`;
	return { name: 'git', run: async () => void execFileSync('sh', ['-c', script], { cwd: folder, stdio: 'pipe' }) };
}

function numstat(folder: string, bodies: readonly string[]): Contender {
	writeFileSync(join(folder, 'all'), bodies.join(''));
	return { name: 'git apply', run: async () => void gitIn(folder, ['apply', '--numstat', 'all']) };
}
