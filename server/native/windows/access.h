/* Who may do what with folders and pipes. Rights are written in SDDL, Windows' language for them. */
#pragma once

#include "text.h"

/* The SID of an account, a group or a SID's text, as text: S-1-5-4. @throws Failure if Windows knows none of the name */
Text sidOf(const Text &name);

/* Makes the folder, gives it to administrators and sets its rights; what is in it inherits them. @param rights the entries of a DACL */
void makeFolder(const Text &path, const Text &rights);

/*
 * Moves a folder or a file aside that an ordinary account made: every account may create folders in %ProgramData%, and would
 * still own this one.
 */
void moveForeignFolder(const Text &path);

/* Makes the installation's folders, and sets what each account may do. `people` are the SIDs of those who scan. */
void secureFolders(const Text &root, const std::vector<Text> &people);

/* Lets the service read the key of its certificate, if there is one; only administrators replace it. */
void secureCertificate(const Text &root);

/* The SID of the account that runs this process. */
Text ownSid();

/* Owner and rights of a file or folder in SDDL; "-" if it is not there, or this account may not read them. */
Text rightsOf(const Text &path);

/*
 * Leaves a pipe to its owner, the system and the accounts given. This account must own the pipe.
 * Rights belong to the pipe's name: later instances have them too, until the last one is closed.
 */
void restrictPipe(const Text &name, const std::vector<Text> &accounts);
