import type { PatchsetAction, PatchsetPart } from '../../protocol/patchsetProtocol.ts';
import type { PatchsetPageStrings } from '../../protocol/patchsetStrings.ts';
import type { PeopleWays } from '../mailPeople.ts';
import type { Times } from '../times.ts';

/** What the parts of the page are made with, and what can be done from them. */
export interface PageWays {
	readonly strings: PatchsetPageStrings;
	/** BCP 47 tag. */
	readonly locale: string;
	readonly times: Times;
	readonly run: (action: PatchsetAction) => void;
	readonly again: (part: PatchsetPart) => void;
	readonly setStatus: (word: string) => void;
	/** All files of the patch when no file is named. */
	readonly openDiff: (mailId: number, fileIndex?: number) => void;
	readonly toggleViewed: (mailId: number) => void;
	readonly showRaw: (mailId: number) => void;
	readonly openMail: (mailId: number) => void;
	readonly openPatchset: (id: number) => void;
	readonly compareVersion: (id: number) => void;
	readonly openVersionChanges: (id: number) => void;
	readonly unlinkVersion: (id: number) => void;
	/** Shows somebody, who opens by a click. */
	readonly people: PeopleWays;
}
