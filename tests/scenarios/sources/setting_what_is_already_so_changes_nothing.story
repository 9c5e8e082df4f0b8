# Setting what is already so changes nothing
A form that is saved unchanged is no change: same place, same context, available and writable as
before. Only a password is always a new one, as nobody keeps it to compare.
proves: R-6

given claude works on shop: read
claude queries shop
    SELECT id FROM main.orders
dana changes shop: connection shop
expect no effect
dana changes shop: context none
expect no effect
dana changes shop: available
expect no effect
dana changes shop: writable
expect no effect
dana changes shop: full read lock
expect no effect
expect r1 is running
dana changes shop: password
expect r1 is revoked
shop stops as told
