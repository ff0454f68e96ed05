import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import type { RepositoryApi } from 'sourcehut/port/forge.ts';
import type { OwnerName } from 'sourcehut/port/user.ts';
import type { KeptNames } from '../shared/keptNames.ts';
import type { KeptText } from '../shared/keptText.ts';
import type { WriteJournal } from '../shared/writeJournal.ts';
import type { KeptRepositories } from './keptRepositories.ts';
import type { KeptObjects } from './objects/repositoryObjects.ts';

/** Forge, disk and storage of one account's repositories. */
export interface RepositorySources {
	readonly api: RepositoryApi;
	readonly journal: WriteJournal;
	/** `~name` of the account. */
	readonly me: OwnerName;
	/** Followed repositories of other owners, as `~owner/name`. */
	readonly followed: KeptNames;
	/** Disk cache of trees and blobs. */
	readonly objects: KeptObjects;
	/** Disk cache of references and logs; absent when nothing may be stored. */
	readonly disk?: KeptRepositories | undefined;
	/** Storage for the pinned revisions of this window. */
	readonly pinned: KeptText;
	/** Raises the request concurrency until disposed. */
	readonly beginWalk: () => Promise<Disposable>;
}
