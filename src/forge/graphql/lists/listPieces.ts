/* Fragments of the list service's documents (see `todoPieces.ts`). */

const ownerFields = '{ # Entity\ncanonicalName }';

const entityFields = `{ # Entity
	canonicalName
	... on User { username email }
	... on Mailbox { name address }
}`;

export const shortListFields = `{ # MailingList
	name
	owner ${ownerFields}
}`;

export const subscribedFields = `
	name
	owner ${ownerFields}
	subscription { # MailingListSubscription
		id created
	}`;

/** Optional fields of a list that need their own grant. */
export const droppableOfList = [{ type: 'MailingList', field: 'access', grant: 'ACLS:RO' }] as const;

export const listFields = `
	id
	rid
	name
	owner ${ownerFields}
	created
	updated
	lastActivity
	description
	access { # ACL
		browse reply post moderate
	}
	defaultACL { # GeneralACL
		browse reply post moderate
	}`;

/** Optional fields of a mail that need their own grant. */
export const droppableOfMail = [{ type: 'Email', field: 'patchset', grant: 'PATCHES:RO' }] as const;

export const mailFields = `
	id
	received
	subject
	messageID
	sender ${entityFields}
	parent { # Email
		id
	}
	patchset { # Patchset
		id version status
	}
	patch { # Patch
		index version
	}
	list ${shortListFields}`;

export const threadHeadFields = 'replies participants';

export const mailWithThreadFields = `
	${mailFields}
	thread { # Thread
		${threadHeadFields}
		root { # Email
			id
		}
	}`;

export const patchsetFields = `
	id
	created
	updated
	subject
	prefix
	version
	status
	submitter ${entityFields}
	list ${shortListFields}
	coverLetter { # Email
		${mailFields}
	}
	supersededBy { # Patchset
		id
	}
	supersedes { # Patchset
		id
	}
	tools { # PatchsetTool
		id updated icon details
	}`;
