import type { RepositoryRef } from '../../../forge/port/repository.ts';
import type { ForgeInstance } from '../../../forge/port/instance.ts';
import { trackerPath } from '../../../engine/text/forgeAddress.ts';

/** Lines of a file at a commit. Lines count from 1. */
export interface CodePlace {
	readonly repository: RepositoryRef;
	readonly commit: string;
	/** Below the top of the repository, with `/`. */
	readonly path: string;
	readonly firstLine: number;
	readonly lastLine: number;
}

/** The address under which the forge shows these lines for ever (docs/protocol.md#web-addresses). */
export function permalink({ areas }: ForgeInstance, place: CodePlace): string {
	const { repository, commit, path, firstLine, lastLine } = place;
	const file = path.toWellFormed().split('/').map(encodeURIComponent).join('/').replaceAll('%40', '@');
	const lines = firstLine === lastLine ? `L${firstLine}` : `L${firstLine}-${lastLine}`;
	return `${areas.git}${trackerPath(repository)}/tree/${commit}/item/${file}#${lines}`;
}
