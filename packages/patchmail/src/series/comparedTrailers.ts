import type { EarlierVersion } from './earlierTrailers.ts';
import { isOwnTrailer, listsOf } from './ownTrailer.ts';
import { patchIdentity } from './patchIdentity.ts';
import { addressPair } from './samePeople.ts';
import type { GivenTrailer, PatchMail, SecondAddress, SeriesPatch } from './seriesReading.ts';
import type { EarlierPatch, TrailerBytes } from './trailerBytes.ts';
import { personKey } from './trailerLines.ts';

/** A person's own mail with a trailer for patches of an earlier version. */
export interface Gift {
	/** Equal for the same trailer of the same person. */
	readonly key: string;
	readonly mailId: number;
	readonly version: number;
	readonly patchsetId: number;
	readonly patches: readonly GivenPatch[];
	/** The mail has another address than the trailer. The gift counts if both are one person. */
	readonly second: SecondAddress | undefined;
}

/** The parts of a patch that a comparison needs, so that a gift holds no mails. */
interface GivenPatch {
	readonly index: number;
	readonly mailId: number;
	/** `patchIdentity` */
	readonly identity: string | undefined;
	readonly subject: string;
	/** In the order of their paths. */
	readonly files: readonly FileIds[];
}

interface FileIds {
	readonly paths: string;
	readonly oldId: string | undefined;
	readonly newId: string | undefined;
}

/** Gifts of an earlier version. Trailers inside a commit message are none, since authors copy them. */
export function giftsOf({ version, id, series, trailers }: EarlierVersion): readonly Gift[] {
	const patches = new Map(series.patches.map((each) => [each.index, givenPatch(each)]));
	return trailers
		.filter((each) => each.earlierVersion === undefined && isGiven(each, series.patches, true))
		.map((trailer) => ({
			key: giftKey(trailer),
			mailId: trailer.mailId,
			version,
			patchsetId: id,
			patches: trailer.patchIndexes.flatMap((index) => patches.get(index) ?? []),
			second: trailer.isForOther ? trailer.second : undefined,
		}));
}

/**
 * Trailers of a series with their bytes for each patch. `gifts`: of the newest version first. `samePeople`: pairs from
 * `addressPair`.
 */
export function withTrailerBytes(
	trailers: readonly GivenTrailer[],
	patches: readonly SeriesPatch[],
	gifts: readonly Gift[],
	samePeople: ReadonlySet<string>,
): readonly GivenTrailer[] {
	const sure = gifts.filter(
		({ second }) => second === undefined || samePeople.has(addressPair(second.sender.address, second.named.address)),
	);
	const byKey = Map.groupBy(sure, ({ key }) => key);
	const byIndex = new Map(patches.map((each) => [each.index, each]));
	return trailers.map((trailer) => ({
		...trailer,
		bytes: trailer.patchIndexes.map((index) => ({
			index,
			...bytesOf(trailer, byIndex.get(index), byKey.get(giftKey(trailer)) ?? []),
		})),
	}));
}

function giftKey({ key, person }: GivenTrailer): string {
	return `${key} ${personKey(person)}`;
}

/**
 * True if the mail of the trailer is the person's own. A patch mail also has trailers that its sender copied. Its author
 * may be another person than its sender, since lists replace senders.
 */
function isGiven(trailer: GivenTrailer, patches: readonly SeriesPatch[], evenBySecond = false): boolean {
	const patch = patches.find(({ mail }) => mail.id === trailer.mailId);
	return patch === undefined
		? !trailer.isForOther || (evenBySecond && trailer.second !== undefined)
		: !trailer.isOnlyToGit &&
				(isOwnTrailer(patch.mail, trailer, listsOf([patch.mail])) ||
					(trailer.key === 'Signed-off-by' && !trailer.isForOther));
}

function bytesOf(trailer: GivenTrailer, patch: SeriesPatch | undefined, gifts: readonly Gift[]): TrailerBytes {
	const now = patch && givenPatch(patch);
	// Nobody reviewed a diff that only git reads, not even in reply to its mail.
	if (now?.identity === undefined) {
		return { kind: 'unknown', reason: 'notCompared' };
	}
	if (trailer.earlierVersion === undefined && isGiven(trailer, [patch!])) {
		return { kind: 'these', mailId: trailer.mailId, from: undefined };
	}
	const given = gifts.flatMap((gift) => gift.patches.map((before) => ({ gift, before })));
	const same = given.filter(({ before }) => before.identity === now.identity);
	const exact = same.find(({ before }) => hasSameBlobs(before, now));
	const first = exact ?? same[0];
	if (first) {
		const from = earlierPatch(first.gift, first.before);
		return { kind: first === exact ? 'these' : 'sameChanges', mailId: first.gift.mailId, from };
	}
	const [newest] = gifts;
	if (!newest || given.some(({ before }) => before.identity === undefined)) {
		return { kind: 'unknown', reason: newest ? 'notCompared' : 'noMail' };
	}
	const ofNewest = given.filter(({ gift }) => gift.patchsetId === newest.patchsetId);
	const before = mostAlike(
		now,
		ofNewest.map((each) => each.before),
	);
	const { gift } = ofNewest.find((each) => each.before === before) ?? { gift: newest };
	return { kind: 'other', mailId: gift.mailId, version: gift.version, from: before && earlierPatch(gift, before) };
}

function earlierPatch({ version, patchsetId }: Gift, { index, mailId }: GivenPatch): EarlierPatch {
	return { version, patchsetId, index, mailId };
}

const known = new WeakMap<PatchMail, GivenPatch>();

function givenPatch({ index, mail, patch }: SeriesPatch): GivenPatch {
	const read = known.get(patch) ?? {
		index,
		mailId: mail.id,
		identity: patchIdentity(patch),
		subject: patch.subject.replaceAll(/\s+/g, ' ').trim().toLowerCase(),
		files: patch.bytes.diff.files
			.map(({ oldPath = '', newPath = '', oldId, newId }) => ({ paths: `${oldPath}\n${newPath}`, oldId, newId }))
			.toSorted((a, b) => (a.paths < b.paths ? -1 : a.paths > b.paths ? 1 : 0)),
	};
	known.set(patch, read);
	// Another version may have the same mail at another place.
	return { ...read, index, mailId: mail.id };
}

/** True if two diffs of the same changes state the same content of each file, before and after. */
function hasSameBlobs({ files }: GivenPatch, now: GivenPatch): boolean {
	return files.every(
		({ oldId, newId }, at) => isSameId(oldId, now.files[at]?.oldId) && isSameId(newId, now.files[at]?.newId),
	);
}

/** Shorter ids are no evidence. */
const shortestId = 7;

function isSameId(one = '', other = ''): boolean {
	const length = Math.min(one.length, other.length);
	return length >= shortestId && one.slice(0, length) === other.slice(0, length);
}

/** The patch with the same subject, else with most paths in common, else the only one. */
function mostAlike(now: GivenPatch, before: readonly GivenPatch[]): GivenPatch | undefined {
	const named = before.find(({ subject }) => subject === now.subject);
	if (named || before.length < 2) {
		return named ?? before[0];
	}
	const paths = new Set(now.files.map((file) => file.paths));
	const common = ({ files }: GivenPatch): number => files.filter((file) => paths.has(file.paths)).length;
	const [most] = before.toSorted((a, b) => common(b) - common(a));
	return most && common(most) > 0 ? most : undefined;
}
