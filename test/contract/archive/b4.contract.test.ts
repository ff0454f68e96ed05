import '../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { versionOf } from 'patchmail/series/versions.ts';
import { archiveClient } from 'public-inbox/http/archiveClient.ts';
import { archiveLists } from 'public-inbox/port/archiveLists.ts';
import { undiciClient } from 'sourcehut/http/undiciClient.ts';
import type { Forge } from 'sourcehut/port/forge.ts';
import type { Connection } from '../../../src/store/connection.ts';
import { ListStore } from '../../../src/store/lists/listStore.ts';
import type { PatchsetReview } from '../../../src/store/lists/patchsets/patchsetReview.ts';
import { answeredSeries } from '../../support/answeredSeries.ts';
import { archivedSeries, hostOf } from '../../support/archiveMails.ts';
import { hastyClock, transportOver } from '../../support/archiveTransport.ts';
import { mailboxesOfB4 } from '../../support/b4Am.ts';
import { committedMails, type CommittedMail } from '../../support/committedMails.ts';
import { directTransport, systemClock, wanted } from '../../support/contractForge.ts';
import { fake } from '../../support/fake.ts';
import { keptNames } from '../../support/fakeConnection.ts';
import { journalInMemory } from '../../support/journalInMemory.ts';
import { bytesOf } from '../../support/madeThread.ts';
import { mailStores } from '../../support/mailStores.ts';
import { limitMs } from '../../support/pace.ts';
import { testInRest } from '../../support/parts.ts';
import { startArchive, type RealArchive } from '../../support/realArchive.ts';
import type { MadeSeries } from '../../support/seriesCorpus.ts';
import { standFor } from '../../support/standFor.ts';

const { seriesMailbox } = await import('../../../src/features/patches/apply/seriesMailbox.ts');
const { trailerGroups } = await import('../../../src/features/patches/apply/seriesQuestions.ts');

const wantedVersions = 200;
const apartMs = 16 * 24 * 60 * 60_000;
const listed = join(import.meta.dirname, '../../corpus/b4/differences.txt');

/** One version of a series, and its last mail, by which both sides find it. */
interface AskedVersion {
	/** `a plain series 1 v2` */
	readonly name: string;
	readonly version: number;
	readonly messageId: string;
}

/** So many versions of series, each with files, titles and weeks of its own: b4 looks for equal diffs in the archive. */
function series(): readonly MadeSeries[] {
	const all = [
		...answeredSeries(),
		...[1, 2].flatMap((at) => archivedSeries.filter(({ name }) => name.endsWith(` ${at}`))),
	];
	const kept: MadeSeries[] = [];
	let versions = 0;
	for (const each of all.filter(({ versions: own }) => own.length > 0)) {
		if (versions + each.versions.length <= wantedVersions) {
			kept.push(each);
			versions += each.versions.length;
		}
	}
	return kept.map(({ mails, ...rest }, at) => {
		const own = (text: string): string =>
			text.replaceAll(/\bpart(?=\d)/g, `p${at}-`).replaceAll(/\b(?:alpha|beta|gamma|delta|omega)\b/g, `$&${at}`);
		const change = ({ sentMs, subject, text }: (typeof mails)[number]) => ({
			sentMs: sentMs - (kept.length - at) * apartMs,
			subject: own(subject),
			text: own(text),
		});
		return { ...rest, mails: mails.map((mail) => ({ ...mail, ...change(mail) })) };
	});
}

function askedVersions({ name, versions }: MadeSeries): readonly AskedVersion[] {
	const numberOf = (mail: { readonly name: string }): number => Number(mail.name.slice(1));
	return versions.map(({ version, patches }, at) => {
		const last = patches.toSorted((one, other) => numberOf(other) - numberOf(one))[0];
		const isAgain = versions.slice(0, at).some((before) => before.version === version);
		return {
			name: `${name} v${version}${isAgain ? ' again' : ''}`,
			version,
			messageId: `<${hostOf(name)}.${last?.name}@made.example>`,
		};
	});
}

/** The mailbox that the product makes of each version with the trailers that it checks by itself. */
async function ownMailboxes(archive: RealArchive, asked: readonly AskedVersion[]): Promise<readonly Uint8Array[]> {
	const http = undiciClient({ transport: directTransport, clock: systemClock, random: () => 0 });
	try {
		const client = archiveClient({ transport: transportOver(http), clock: hastyClock(), mirrors: () => ({}) });
		const api = archiveLists(client, archive.siteUrl, {
			inboxes: () => ['devel'],
			ownAddresses: async () => [],
			clock: systemClock,
		});
		const list = { owner: new URL(archive.siteUrl).host, name: 'devel' };
		const lists = new ListStore({ journal: journalInMemory(), api, me: '', followed: keptNames() });
		const { reviews } = mailStores({ lists, forge: standFor<Forge>({ lists: api }) });
		const rows = lists.patchsets(list);
		for (let page = await rows.first(wanted()); page.completeness.kind === 'more';) {
			page = await rows.more(wanted());
		}
		const boxOf = async (review: PatchsetReview): Promise<Uint8Array> => {
			const trailers = trailerGroups(review, 0).flatMap(({ choices }) =>
				choices.flatMap(({ picked, value }) => (picked ? [value] : [])),
			);
			const connection = fake<Connection>({ lists });
			const made = await seriesMailbox(connection, review.series.patches, { trailers, isMerging: true }, wanted());
			assert.deepEqual([review.failures, made.withoutTrailers], [[], []], review.patchset.subject);
			return made.bytes;
		};
		const boxes: Uint8Array[] = [];
		for (const { version, messageId } of asked) {
			const mail = await api.email({ messageId, list }, wanted());
			const thread = await api.thread(mail.id, wanted());
			const ids = new Set(thread.flatMap(({ patchsetId }) => patchsetId ?? []));
			const found: PatchsetReview[] = [];
			for (const id of ids) {
				const review = await reviews.readWithEarlier({ list, id }, wanted());
				found.push(...(review.series.patches.some((each) => each.mail.messageId === messageId) ? [review] : []));
			}
			const review = found.find(({ patchset }) => versionOf(patchset) === version) ?? found[0];
			boxes.push(review ? await boxOf(review) : Buffer.alloc(0));
		}
		lists.dispose();
		return boxes;
	} finally {
		await http.close();
	}
}

/** From b4's commits to ours: `- a line of b4 | + a line of ours`. Empty if they are the same. */
function difference(b4: readonly CommittedMail[], ours: readonly CommittedMail[]): string {
	const names = (mails: readonly CommittedMail[]): string =>
		mails.map(({ messageId }) => /\.(m\d+)@/.exec(messageId)?.[1] ?? messageId).join(' ') || 'none';
	if (names(b4) !== names(ours)) {
		return `b4 ${names(b4)}, we ${names(ours)}`;
	}
	return b4
		.flatMap((theirs, at) => {
			const own = ours[at];
			return own === undefined ? [] : [...factsBetween(theirs, own), ...linesBetween(theirs.message, own.message)];
		})
		.join(' | ');
}

function factsBetween(theirs: CommittedMail, own: CommittedMail): readonly string[] {
	const parts = ['author', 'title', 'dateMs', 'diff'] as const;
	return parts.flatMap((part) => (theirs[part] === own[part] ? [] : [`${part}: ${theirs[part]} / ${own[part]}`]));
}

function linesBetween(theirs: string, own: string): readonly string[] {
	if (theirs === own) {
		return [];
	}
	const [a, b] = [theirs, own].map((text) => text.split('\n').filter((line) => line.trim() !== ''));
	const only = (these: readonly string[] = [], others: readonly string[] = []): readonly string[] =>
		these.filter(
			(line, at) =>
				these.slice(0, at + 1).filter((each) => each === line).length > others.filter((each) => each === line).length,
		);
	const lines = [...only(a, b).map((line) => `- ${line}`), ...only(b, a).map((line) => `+ ${line}`)];
	return lines.length > 0 ? lines : [a?.join('\n') === b?.join('\n') ? 'blank lines' : 'order'];
}

suite('b4 over an archive', () => {
	testInRest('applies the same patches and trailers, except where listed with the reason', async function () {
		this.timeout(limitMs(300_000));
		const made = series();
		const asked = made.flatMap(askedVersions);
		assert.equal(asked.length, wantedVersions);
		const mails = made.flatMap(({ name, mails: own }) => own.map((mail) => bytesOf(mail, hostOf(name))));
		const archive = await startArchive({ devel: mails });
		try {
			const boxes = [...mailboxesOfB4(archive.inboxUrl('devel'), asked), ...(await ownMailboxes(archive, asked))];
			const commits = committedMails(boxes);
			const found = asked.flatMap(({ name }, at) => {
				const text = difference(commits[at] ?? [], commits[at + asked.length] ?? []);
				return text === '' ? [] : [`${name}: ${text}`];
			});
			const expected = readFileSync(listed, 'utf8')
				.split('\n')
				.filter((line) => line !== '' && !line.startsWith('#'));
			assert.deepEqual(found.toSorted(), expected.toSorted());
		} finally {
			await archive.stop();
		}
	});
});
