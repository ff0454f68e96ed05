import type { ForgeInstance } from '../../forge/port/instance.ts';
import type { OwnerName } from '../../forge/port/user.ts';
import { webDestination } from '../../forge/port/webDestination.ts';
import { isOwnerName } from './subjects.ts';

/**
 * The person in a text: `alice`, `~alice`, an e-mail address (alone, as `mailto:` or after a name), or the web address
 * of a person's page on the forge. `undefined` if there is none.
 */
export function writtenName(text: string, instance: ForgeInstance): OwnerName | undefined {
	const written = text.trim();
	if (/^https?:/i.test(written)) {
		const url = URL.parse(written);
		const to = url ? webDestination(url, instance) : undefined;
		return to?.kind === 'person' && isOwnerName(to.name) ? to.name : undefined;
	}
	const [, inBrackets] = /<([^<>]+)>\s*$/.exec(written) ?? [];
	const bare = (inBrackets ?? written).replace(/^mailto:/i, '').trim();
	const name = /^[\w][\w.-]*$/.test(bare) ? `~${bare}` : bare.replace(/^(~[^/]+)\/$/, '$1');
	return isOwnerName(name) ? name : undefined;
}
