import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from '../support/random.ts';
import { reencoded, type MailEncoding } from '../support/envelopeOf.ts';
import type { MadeTree } from '../support/madeTree.ts';
import { makeTrees } from '../support/patchMaker.ts';
import { commitTrees, gitIn, patchMails } from '../support/patchMakerGit.ts';

export interface ManyPatches {
	/** Mails of `git format-patch`, with LF. */
	readonly plain: readonly Buffer[];
	/** As from lists: every third in quoted-printable, every tenth in base64. */
	readonly mails: readonly Buffer[];
}

/** Steps of the made history per patch, for the length of patches in large projects. */
const stepsEach = 1.3;

/** Makes a numbered series of `count` patches of real text in a new folder below `folder`. */
export function manyPatches(folder: string, count: number): ManyPatches {
	const repository = join(folder, 'repository');
	mkdirSync(repository);
	commitTrees(repository, plainTrees(count));
	gitIn(repository, ['repack', '-adq']);
	const plain = patchMails(repository, 0, count, ['-M', '--numbered']);
	return { plain, mails: plain.map((mail, at) => reencoded(mail, encodingOf(at))) };
}

/** The trees before, between and after `count` patches of real text. */
export function plainTrees(count: number): readonly MadeTree[] {
	const all = makeTrees(Math.ceil(count * stepsEach), createRandom(20_261_120), true);
	return Array.from({ length: count + 1 }, (_, at) => all[Math.round(at * stepsEach)]!);
}

function encodingOf(at: number): MailEncoding {
	if (at % 10 === 0) {
		return 'base64';
	}
	return at % 3 === 0 ? 'quoted-printable' : '8bit';
}
