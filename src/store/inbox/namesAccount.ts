import type { OwnerName } from '../../forge/port/user.ts';
import { referencesIn } from '../../engine/text/references.ts';

/** True if the text mentions the user, by the forges' rules. */
export function namesAccount(text: string, me: OwnerName): boolean {
	return referencesIn(text, []).some(
		(found) =>
			'written' in found && found.written.kind === 'user' && found.written.owner.toLowerCase() === me.toLowerCase(),
	);
}
