import { minOf } from '@forge-desk/base/longArrays.ts';
import type { SetMail } from './setParts.ts';
import { arrivalOrder } from './sentOrder.ts';

/**
 * Number of the first mail of each mail's thread. A series whose patches are threads of their own counts as one thread.
 * In a cycle, which a broken mailbox may have, the lowest number.
 */
export function threadsOf(mails: readonly SetMail[]): ReadonlyMap<number, number> {
	const parents = new Map(mails.map(({ id, parentId }) => [id, parentId]));
	const roots = new Map<number, number>();
	for (const { id } of mails) {
		const path = new Set<number>();
		let at = id;
		let above = parents.get(at);
		while (!roots.has(at) && !path.has(at) && above !== undefined && parents.has(above)) {
			path.add(at);
			at = above;
			above = parents.get(at);
		}
		const root = roots.get(at) ?? (path.has(at) ? minOf(path) : at);
		path.add(at);
		path.forEach((each) => roots.set(each, root));
	}
	const joined = joinedRoots(mails, (mail) => roots.get(mail.id) ?? mail.id);
	return joined.size === 0
		? roots
		: new Map(Array.from(roots, ([id, root]): readonly [number, number] => [id, joined.get(root) ?? root]));
}

/** Between the patches of one series. */
const mostBetweenMs = 3_600_000;

/**
 * Maps first mails of threads to one of them, for each complete series of one sender that was sent in a short time over
 * several threads, and for parts that answer one lost mail. A number that occurs twice leaves doubt.
 */
export function joinedRoots<M extends SetMail>(
	mails: readonly M[],
	rootOf: (mail: M) => number,
): ReadonlyMap<number, number> {
	const parts = mails.toSorted(arrivalOrder).flatMap((mail) => {
		const { place, names } = mail;
		const [sender] = names;
		const isPart =
			place?.isReply === false &&
			place.isNumbered &&
			place.count > 1 &&
			place.index <= place.count &&
			sender !== undefined &&
			(mail.hasDiff !== false || place.index === 0);
		const key = isPart ? JSON.stringify([sender, place.version, place.prefix, place.count]) : '';
		return isPart ? [{ mail, place, key, root: rootOf(mail) }] : [];
	});
	const found = new Map<number, number>();
	for (const group of Map.groupBy(parts, ({ key }) => key).values()) {
		const done = new Set<number>();
		for (const [root, ofThread] of Map.groupBy(group, (part) => part.root)) {
			const indexes = new Set(ofThread.map(({ place }) => place.index));
			if (ofThread.some(({ mail }) => mail.patchsetId !== undefined) || isComplete(indexes, ofThread[0]?.place.count)) {
				done.add(root);
			}
		}
		let cluster: typeof group = [];
		const clusters: (typeof group)[] = [];
		for (const part of group.filter(({ root }) => !done.has(root))) {
			const last = cluster.at(-1)?.mail.createdMs;
			if (last === undefined || part.mail.createdMs - last > mostBetweenMs) {
				cluster = [];
				clusters.push(cluster);
			}
			cluster.push(part);
		}
		// Patches name one unknown mail if their cover letter or first patch is lost.
		const below = Map.groupBy(group, ({ mail }) => mail.lostAbove);
		below.delete(undefined);
		const whole = clusters.filter((each) => {
			const indexes = new Set(each.map(({ place }) => place.index));
			return indexes.size === each.length && isComplete(indexes, each[0]?.place.count);
		});
		for (const each of [...below.values(), ...whole]) {
			const first = each[0]?.root ?? 0;
			each.forEach(({ root }) => found.set(root, found.get(first) ?? first));
		}
	}
	return found;
}

function isComplete(indexes: ReadonlySet<number>, count: number | undefined): boolean {
	return indexes.size - Number(indexes.has(0)) === count;
}
