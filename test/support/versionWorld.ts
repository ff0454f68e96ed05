import type { Email } from 'sourcehut/port/list.ts';
import { editLine, numberedLines } from './editedFile.ts';
import { makeMail, makePatchset } from './makeMail.ts';
import { makeUser, someTimeMs } from './makeTicket.ts';
import { wholeTexts, wholeWorld, type WholeWorld } from './wholeWorld.ts';

const first = editLine('src/fold.c', wholeTexts.fold, 10, 'FOLD 10');
const second = editLine('src/fold.c', first.after, 30, 'FOLD THIRTY');
const gone = editLine('src/gone.c', numberedLines('gone'), 20, 'GONE TWENTY');

/** `src/fold.c` after the second version. */
export const secondVersion = second.after;

/** The world of `wholeWorld`, with replies to its series. */
export interface VersionWorld extends WholeWorld {
	/** Adds a reply to the first version, by default to its second patch. */
	readonly reply: (id: number, by: string, body: string, parentId?: number) => Email;
}

/**
 * Patchset 8 is the second version of patchset 7. Its first patch (mail 81) makes the same change with an explanation.
 * Its second patch (mail 82) changes line 30 of `src/fold.c`, changes line 20 of `src/gone.c` differently, and no
 * longer changes `src/moved.c`.
 */
export function versionWorld(): VersionWorld {
	const world = wholeWorld();
	const { lists, ref } = world;
	const patches = [first.diff, second.diff + gone.diff].map((diff, at) =>
		makeMail({
			id: 81 + at,
			subject: `[PATCH v2 ${at + 1}/2] fold: step ${at + 1}`,
			text: `${at === 0 ? 'Because.' : 'Why.'}\n---\n${diff}-- \n2.39.5\n`.replaceAll('\n', '\r\n'),
			isPatch: true,
			patchsetId: 8,
			createdMs: someTimeMs + 1000,
			...(at === 0 ? {} : { parentId: 81, threadId: 81 }),
		}),
	);
	lists.world.mails.push(...patches);
	lists.world.series.set(8, patches);
	lists.world.patchsets.get('~alice/quill-devel')?.unshift(
		makePatchset({
			id: 8,
			version: 2,
			subject: 'fold: step 1',
			prefix: undefined,
			createdMs: someTimeMs + 1000,
			updatedMs: someTimeMs + 1000,
			list: { owner: makeUser('alice'), name: ref.list.name },
		}),
	);
	return {
		...world,
		reply(id, by, body, parentId = 72) {
			const mail = makeMail({
				id,
				subject: 'Re: [PATCH 2/2] fold: step 2',
				text: body.replaceAll('\n', '\r\n'),
				parentId,
				threadId: 71,
				sender: makeUser(by),
				createdMs: someTimeMs + 500,
			});
			lists.world.mails.push(mail);
			return mail;
		},
	};
}
