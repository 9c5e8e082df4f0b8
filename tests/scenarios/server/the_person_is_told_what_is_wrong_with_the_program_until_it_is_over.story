# The person is told what is wrong with the program until it is over
Notices are raised once, however often they are reported, and go when their cause goes.

dbeast notices vault_in_memory
dbeast notices vault_unavailable
dbeast notices vault_of_other_owner
dbeast notices vault_not_saved
dbeast notices vault_not_saved
dbeast notices configuration_not_saved
dbeast notices passwords_unavailable
dbeast notices passwords_not_saved
expect count of notices: 7
dbeast forgets vault_not_saved
dbeast forgets vault_not_saved
expect count of notices: 6
