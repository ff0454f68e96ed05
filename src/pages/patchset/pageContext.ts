import type { PatchsetAction, PatchsetPart } from '../protocol/patchsetProtocol.ts';
import type { PatchsetPageStrings } from '../protocol/patchsetStrings.ts';
import type { PeopleContext } from '../mailPeople.ts';
import type { Times } from '../times.ts';

/** Shared tools and actions for the parts of the page. */
export interface PageContext {
	readonly strings: PatchsetPageStrings;
	/** BCP 47 tag. */
	readonly locale: string;
	readonly times: Times;
	readonly run: (action: PatchsetAction) => void;
	readonly again: (part: PatchsetPart) => void;
	readonly setStatus: (word: string) => void;
	/** Opens all files of the patch without a `fileIndex`. */
	readonly openDiff: (mailId: number, fileIndex?: number) => void;
	readonly toggleViewed: (mailId: number) => void;
	readonly showRaw: (mailId: number) => void;
	readonly openMail: (mailId: number) => void;
	readonly openPatchset: (id: number) => void;
	readonly compareVersion: (id: number) => void;
	readonly openVersionChanges: (id: number) => void;
	readonly unlinkVersion: (id: number) => void;
	/** Shows a person; a click opens their page. */
	readonly people: PeopleContext;
}
